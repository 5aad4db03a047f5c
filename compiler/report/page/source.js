// The source beside the graph, and the details of what is selected.

const lineRows = new Map(); // "source:line" -> element

// nodesAt are the operations of a line.
const nodesAt = (source, line) => G.nodes.map((n, i) => i).filter(i => G.nodes[i].source === source && G.nodes[i].line === line);

// drawSources lists the lines of the sources. Those that became operations can be
// selected and have the colour of their innermost loop.
function drawSources() {
  const box = byId("lines");
  if (!D.sources.length) byId("source").hidden = true;
  D.sources.forEach((s, k) => {
    const h = document.createElement("h3");
    h.textContent = s.file;
    box.appendChild(h);
    s.lines.forEach((text, i) => box.appendChild(sourceLine(k, i + 1, text)));
  });
}

function sourceLine(k, line, text) {
  const row = document.createElement("div"), number = document.createElement("i"), nodes = nodesAt(k, line);
  row.className = "line";
  row.dataset.line = line;
  number.textContent = line;
  row.append(number, text || " ");
  if (!nodes.length) return row;
  row.classList.add("ops");
  row.setAttribute("role", "option");
  row.title = nodes.map(i => nodeName(G.nodes[i])).join(", ");
  const loop = Math.max(...nodes.map(i => G.nodes[i].loop));
  if (loop >= 0) row.style.borderLeftColor = `var(--loop${loop % 6})`;
  const what = {source: k, line};
  row.addEventListener("click", () => select(what));
  row.addEventListener("pointerenter", () => hover(what));
  row.addEventListener("pointerleave", () => hover(null));
  lineRows.set(k + ":" + line, row);
  return row;
}

// stepLine selects the next line, or the one before, that became operations.
function stepLine(by) {
  const keys = [...lineRows.keys()], now = chosen && chosen.line ? keys.indexOf(chosen.source + ":" + chosen.line) : -1;
  if (!keys.length) return;
  const [source, line] = keys[(now + by + keys.length) % keys.length].split(":").map(Number);
  select({source, line});
}

// details shows what is known of a selection, at the present cycle.
function details(what) {
  const box = byId("details");
  box.replaceChildren();
  const add = (tag, text) => { const e = document.createElement(tag); e.textContent = text; e.style.whiteSpace = "pre-wrap"; box.appendChild(e); return e; };
  if (!what) {
    add("div", summary());
    return;
  }
  if (what.node !== undefined) {
    const n = G.nodes[what.node];
    add("b", nodeName(n));
    add("div", n.title);
    if (n.component) usage(add, box, compByName.get(n.component));
    edgeTable(box, edgesOf[what.node], what.node);
  } else if (what.comp) {
    const c = compByName.get(what.comp), nodes = nodesOn.get(c.name) || [];
    add("b", c.name);
    add("div", compText(c));
    usage(add, box, c);
    if (G) edgeTable(box, nodes.length ? edgesAt(c) : passes.get(c.name) || [], nodes[0]);
  } else if (what.line) {
    add("b", `${D.sources[what.source].file}, line ${what.line}`);
    add("div", nodesAt(what.source, what.line).map(i => nodeName(G.nodes[i])).join("\n"));
  } else {
    for (const e of what.edges.slice(0, 20)) {
      const x = M.edges[e];
      add("div", `${terminal(x.source, true)} → ${terminal(x.sink, false)}: ${x.width} bits, ` + (x.kind === "routed" ?
        `${x.latency} registers, ${x.slots} slots, through ${D.paths[e].steps.map(s => s.component || s.boundary).join(" › ")}` : "inside the unit"));
    }
    edgeTable(box, what.edges);
  }
}

// summary describes the whole.
function summary() {
  if (!M) return `${F.components.length} components, ${F.channels.length} channels`;
  const u = M.utilization;
  return `${u.pes.used} of ${u.pes.total} PEs, ${u.memories.used} of ${u.memories.total} memories, ${M.edges.length} edges.` +
    (T ? `\nThe run took ${T.cycles} cycles${T.status ? " and ended in " + T.status : ""}.` +
      (T.shown < T.cycles ? ` The page plays the first ${T.shown}; totals are of the whole run, and loom trace converts all of it for ui.perfetto.dev.` : "") +
      Object.entries(T.run || {}).filter(([k]) => k !== "inputs").map(([k, v]) => `\n${k.replace("_", " ")}: ${v}`).join("") +
      (T.dram || []).map(line => "\n" + line).join("") : "") +
    "\nSelect an operation, an edge, a component or a line to see what belongs to it.";
}

// usage states what a component does now and did in the run.
function usage(add, box, c) {
  if (!T || !T.totals[c.id]) return;
  const s = stateOf(c.id, now);
  add("div", `cycle ${now}: ${s < 0 ? "idle" : WORDS[s]}`);
  add("div", WORDS.map((w, i) => `${w} ${share(c.id, i).toFixed(1)} %`).join(", ") + ` of ${T.cycles} cycles`);
  const accesses = (T.accesses || {})[c.id] || [];
  for (const line of accesses) add("div", line);
  if (accesses.length) for (const line of T.dram || []) add("div", line);
}

// edgeTable lists edges: their tokens under way and the next value.
function edgeTable(box, edges, node) {
  const list = [...edges].filter(routed).slice(0, 40);
  if (!list.length) return;
  const table = document.createElement("table");
  const row = (cells, tag) => { const tr = table.insertRow(); cells.forEach((c, i) => { const td = document.createElement(tag); td.textContent = c; if (i > 0 && tag === "td") td.className = "n"; tr.appendChild(td); }); return tr; };
  row(T ? ["edge", "under way", "value"] : ["edge", "registers", "slots"], "th");
  for (const e of list) {
    const g = G.edges.find(x => x.edge === e), x = M.edges[e];
    const name = g.to === node ? "in " + x.sink.port + " ← " + nodeName(G.nodes[g.from]) : (g.from === node ? "out " + x.source.port : nodeName(G.nodes[g.from])) + " → " + nodeName(G.nodes[g.to]);
    if (!T) { row([name, x.latency, x.slots], "td"); continue; }
    // Tokens that were sent and not taken; the next to arrive, else the latest.
    const s = sent(e), n = upTo(s.at, now), taken = upTo(got(e).at, now);
    row([name, n - taken, n > taken ? tokenText(e, s, taken) : n ? `(${tokenText(e, s, n - 1)})` : ""], "td");
  }
  box.appendChild(table);
}
