package report

import _ "embed"

// Schema is the JSON schema of map.json.
//
//go:embed map.schema.json
var Schema []byte
