// Selection, search, colours, keys: what joins the panes.

let chosen = null, hovered = null, hot = [];

// resolve finds what belongs to a selection: nodes and edges of the graph, components
// by name, lines of the sources.
function resolve(what) {
  const r = {nodes: new Set(), edges: new Set(), comps: new Set(), lines: new Set()};
  if (!what) return r;
  if (what.node !== undefined) r.nodes.add(what.node);
  if (what.comp) { r.comps.add(what.comp); for (const i of nodesOn.get(what.comp) || []) r.nodes.add(i); }
  if (what.line) for (const i of nodesAt(what.source, what.line)) r.nodes.add(i);
  for (const i of r.nodes) for (const e of edgesOf[i]) r.edges.add(e);
  if (what.comp && !r.nodes.size) for (const e of passes.get(what.comp) || []) r.edges.add(e);
  for (const e of what.edges || []) r.edges.add(e);
  if (what.edges) for (const e of G ? G.edges : []) if (r.edges.has(e.edge)) { r.nodes.add(e.from); r.nodes.add(e.to); }
  for (const i of r.nodes) {
    const n = G.nodes[i];
    if (n.component) r.comps.add(n.component);
    if (n.source >= 0) r.lines.add(n.source + ":" + n.line);
  }
  return r;
}

// mark highlights a selection in all panes.
function mark(what) {
  for (const e of hot) e.classList.remove("hot");
  hot = [];
  const add = e => { if (e) { e.classList.add("hot"); hot.push(e); } };
  const r = resolve(what);
  for (const i of r.nodes) add(graphNodes[i]);
  for (const name of r.comps) add(compNodes.get(compByName.get(name).id));
  for (const e of r.edges) for (const pane of ["graph", "fabric"])
    for (const p of parts[pane].get(e) || []) if (p.tagName !== "g" || p.classList.contains("io")) add(p);
  for (const l of r.lines) add(lineRows.get(l));
  return r;
}

// hover shows what is under the pointer while nothing is selected.
function hover(what) {
  hovered = what;
  if (chosen) return;
  mark(what);
  details(what);
}

// select keeps a selection; the same again, or null, gives it up.
function select(what, keep) {
  const same = JSON.stringify(chosen) === JSON.stringify(what);
  chosen = same && !keep ? null : what;
  const r = mark(chosen);
  details(chosen);
  if (T) paintTimeline();
  const [first] = r.lines, [node] = r.nodes, [comp] = r.comps;
  if (first && chosen && !chosen.line) lineRows.get(first).scrollIntoView({block: "nearest"});
  if (node !== undefined && panes.graph) panes.graph.show(graphNodes[node]);
  if (comp) panes.fabric.show(compNodes.get(compByName.get(comp).id));
}

// stepNode selects the next operation, or the one before; in the fabric alone, the
// next component.
function stepNode(by) {
  if (!G) {
    const list = F.components.filter(c => c.kind !== "fifo"), i = list.findIndex(c => chosen && c.name === chosen.comp);
    return select({comp: list[(i + by + list.length) % list.length].name}, true);
  }
  const i = chosen && chosen.node !== undefined ? chosen.node : by > 0 ? -1 : 0;
  select({node: (i + by + G.nodes.length) % G.nodes.length}, true);
}

// Search: every word must occur in the label, the title or the line of a node, or in the
// name, the kind or the access of a component.
let matches = [];
function search(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const has = s => words.length > 0 && words.every(w => s.toLowerCase().includes(w));
  for (const e of document.querySelectorAll(".found")) e.classList.remove("found");
  matches = [];
  for (const [i, n] of (G ? G.nodes : []).entries()) if (has(`${nodeName(n)} ${n.title} line:${n.line} ${n.component}`)) {
    matches.push({node: i});
    graphNodes[i].classList.add("found");
    if (n.component) compNodes.get(compByName.get(n.component).id).classList.add("found");
  }
  for (const c of F.components) if (compNodes.has(c.id) && !nodesOn.has(c.name) && has(`${c.kind} ${c.name} ${accessAt.get(c.name)?.text || ""}`)) {
    matches.push({comp: c.name});
    compNodes.get(c.id).classList.add("found");
  }
  document.body.classList.toggle("searching", matches.length > 0);
  byId("found").textContent = words.length ? `${matches.length} found` : "";
}
function nextMatch() {
  if (!matches.length) return;
  const i = matches.findIndex(m => JSON.stringify(m) === JSON.stringify(chosen));
  select(matches[(i + 1) % matches.length], true);
}

// Colours: what the fills of boxes mean.
const COLOURS = [["roles", "role"], ["loops", "loop"], ["active", "active, % of cycles"], ["data", "waits for data, % of cycles"], ["room", "waits for room, % of cycles"]];
function colours() { return COLOURS.slice(0, !G ? 1 : T ? 5 : 2); }

// heat is the state whose share of the cycles is shown, -1 for none.
const heat = () => STATES.indexOf(document.body.dataset.colour);

function colour(name) {
  document.body.dataset.colour = name;
  byId("colour").value = name;
  document.body.toggleAttribute("data-heat", heat() >= 0);
  if (T) {
    paintHeat();
    G.nodes.forEach((n, i) => showNode(n, i));
  }
  drawLegend();
}

// paintHeat gives every box its share.
function paintHeat() {
  const set = (g, id) => {
    const on = heat() >= 0 && T.totals[id];
    g.classList.toggle("heated", Boolean(on));
    if (on) g.style.setProperty("--share", share(id, heat()).toFixed(1));
  };
  for (const [id, g] of compNodes) set(g, id);
  G.nodes.forEach((n, i) => { if (n.component) set(graphNodes[i], compByName.get(n.component).id); });
}

// drawLegend explains the colours in use.
function drawLegend() {
  const box = byId("legend");
  box.replaceChildren();
  const swatch = (style, text) => {
    const s = document.createElement("span"), b = document.createElement("b");
    b.style.cssText = style;
    s.append(b, text);
    box.appendChild(s);
  };
  const wire = (kind, text) => {
    const s = document.createElement("span");
    const svg = el(s, "svg", {viewBox: "0 0 24 9"});
    el(svg, "path", {d: "M1 4.5 H23", class: kind});
    s.append(text);
    box.appendChild(s);
  };
  const mode = document.body.dataset.colour;
  if (mode === "loops") M.timing.loops.forEach((l, i) => swatch(`border-color:var(--loop${i % 6});background:color-mix(in srgb, var(--loop${i % 6}) 20%, var(--bg))`, `loop ${loopName(i)}`));
  else if (heat() >= 0) for (const p of [0, 25, 50, 75, 100]) swatch(`background:color-mix(in srgb, var(--heat) ${p}%, var(--soft))`, p + " %");
  else {
    swatch("background:var(--unit)", "operation");
    swatch("background:var(--memory)", "memory");
    swatch("background:var(--io)", "argument, result");
  }
  swatch("background:var(--soft)", "unused");
  if (G) {
    wire("edge", "data");
    wire("edge i1", "condition");
    wire("edge none", "control");
    if (M.timing.loops.some(l => l.recurrence_cycle.length)) wire("edge critical", "critical recurrence");
    wire("used", "route");
  }
  if (!T) return;
  if (heat() < 0) swatch("background:var(--tokenfill);border:2px solid var(--token)", "active");
  if (heat() < 0) swatch("background:var(--datafill);border:2px dashed var(--data)", "waits for data");
  if (heat() < 0) swatch("background:var(--roomfill);border:2px solid var(--room)", "waits for room");
  wire("token", "token moves");
}

// drawLoops lists the loops in the header; a click marks the critical recurrence.
let recurrence = -1;
function drawLoops() {
  M.timing.loops.forEach((l, i) => {
    const b = document.createElement("button");
    b.textContent = loopTitle(i);
    b.style.borderLeftColor = `var(--loop${i % 6})`;
    b.dataset.loop = i;
    b.title = `line ${l.position.line || "?"}: ${expected(l)} cycles per iteration expected, recurrence ${rate(l.recurrence_bound)}, memory ports ${l.memory_port_bound}, lane ${rate(l.lane_bound)}, unit ${l.unit_bound}` +
      (T && T.measured[i] ? `; ${T.measured[i].toFixed(3)} measured` : "") + (l.recurrence_cycle.length ? "\nclick to mark its critical recurrence" : "\nno recurrence limits it");
    b.addEventListener("click", () => markRecurrence(recurrence === i ? -1 : i));
    byId("loops").appendChild(b);
  });
}

// markRecurrence marks the cycle of operations that limits a loop, -1 for none.
function markRecurrence(i) {
  recurrence = i;
  for (const e of document.querySelectorAll("#graph .critical, #fabric .critical")) e.classList.remove("critical");
  for (const b of byId("loops").children) b.setAttribute("aria-pressed", String(+b.dataset.loop === i));
  if (i < 0) return;
  const ops = new Set(M.timing.loops[i].recurrence_cycle);
  G.nodes.forEach((n, k) => {
    if (!ops.has(n.op)) return;
    graphNodes[k].classList.add("critical");
    if (n.component) compNodes.get(compByName.get(n.component).id).classList.add("critical");
  });
  for (const e of G.loops[i].edges) for (const pane of ["graph", "fabric"])
    for (const p of parts[pane].get(e) || []) if (p.tagName !== "g") p.classList.add("critical");
}

// The panes.
const panes = {};
function show(view) {
  document.body.dataset.view = view;
  for (const b of document.querySelectorAll("#views button")) b.setAttribute("aria-pressed", String(b.dataset.view === view));
  redraw();
}

// redraw draws all for the present size, and what was marked before.
function redraw() {
  for (const p of Object.values(panes)) p.fit();
  colour(document.body.dataset.colour || "roles");
  mark(chosen);
  search(byId("search").value);
  if (G) markRecurrence(recurrence);
  lit = [];
  if (T) go(now);
}

// Keys. In a field they mean what they mean there.
const KEYS = {
  "/": () => byId("search").focus(), n: () => stepNode(1), p: () => stepNode(-1), ArrowDown: () => step(1), ArrowUp: () => step(-1),
  f: redraw, "+": () => zoomPanes(1.25), "=": () => zoomPanes(1.25), "-": () => zoomPanes(0.8), "?": () => byId("keys").showModal(),
  1: () => show("all"), 2: () => G && show("graph"), 3: () => show("fabric"),
  c: () => { const names = colours().map(c => c[0]); colour(names[(names.indexOf(document.body.dataset.colour) + 1) % names.length]); },
  r: () => { if (G) markRecurrence(recurrence + 1 < M.timing.loops.length ? recurrence + 1 : -1); },
  Escape: () => { byId("search").value = ""; search(""); select(null); },
};
const RUNKEYS = {
  " ": play, ArrowLeft: e => go(now - (e.shiftKey ? 10 : 1)), ArrowRight: e => go(now + (e.shiftKey ? 10 : 1)), Home: () => go(0), End: () => go(T.shown - 1),
  j: () => { byId("cycle").focus(); byId("cycle").select(); }, t: () => byId("taller").click(),
};
function zoomPanes(k) { for (const p of Object.values(panes)) if (!p.svg.closest("section").matches("[hidden]")) p.zoom(k); }
const step = by => document.activeElement === byId("lines") ? stepLine(by) : stepNode(by);

function onKey(e) {
  const field = e.target.closest("input, select, dialog");
  if (field) {
    if (e.key === "Escape" || e.key === "Enter" && field.id === "search") {
      if (e.key === "Enter") nextMatch(); else { field.blur(); KEYS.Escape(); }
    } else if (e.key === "Enter" && field.id === "cycle") field.blur();
    return;
  }
  if (e.ctrlKey || e.metaKey || e.altKey || e.key === " " && e.target.closest("button")) return;
  const run = KEYS[e.key] || T && RUNKEYS[e.key];
  if (!run) return;
  e.preventDefault();
  run(e);
}

// start draws everything once and follows the window.
function start() {
  if (G) panes.graph = new Pane(byId("graph"), drawGraph);
  else for (const e of ["graphpane", "views", "loops"]) byId(e).hidden = true;
  panes.fabric = new Pane(byId("fabric"), drawFabric);
  for (const [name, text] of colours()) byId("colour").appendChild(new Option(text, name));
  if (G) { drawSources(); drawLoops(); } else byId("source").hidden = true;
  if (T) { setUpPlayer(); setUpTimeline(); }
  document.body.dataset.colour = G && M.timing.loops.length ? "loops" : "roles";
  if (G) recurrence = Math.max(M.timing.loops.findIndex(l => l.innermost && l.recurrence_cycle.length), M.timing.loops.findIndex(l => l.recurrence_cycle.length));
  details(null);
  byId("colour").addEventListener("change", e => colour(e.target.value));
  byId("search").addEventListener("input", e => search(e.target.value));
  byId("fit").addEventListener("click", redraw);
  byId("help").addEventListener("click", () => byId("keys").showModal());
  for (const b of document.querySelectorAll("#views button")) b.addEventListener("click", () => show(b.dataset.view));
  document.addEventListener("keydown", onKey);
  let waiting = null;
  new ResizeObserver(() => { clearTimeout(waiting); waiting = setTimeout(redraw, 60); }).observe(document.querySelector("main"));
  show("all");
}
start();
