// The fabric with the mapping on it. Positions come in cells of the drawing; a cell gets
// the shape that fills the pane.

// drawFabric fills a pane of w by h pixels.
function drawFabric(pane, w, h) {
  parts.fabric.clear();
  channelLines.clear();
  compNodes.clear();
  const tracks = findTracks(), m = fabricMetrics(w, h, tracks);
  const layers = {};
  for (const name of ["under", "over", "inside", "grabs", "boxes", "labels"]) layers[name] = el(pane.root, "g", {});
  const ends = new Map(); // "in:component.port", "out:component.port": where a track ends
  const stubs = [];
  for (const t of tracks) if (t.far) stubs.push(t); else drawTrack(layers, t, m, ends);
  drawStubs(pane, layers, stubs, m, ends);
  drawInside(layers.inside, m, ends);
  for (const c of F.components) if (c.kind !== "fifo") drawComponent(pane, layers.boxes, c, m);
  for (const b of F.boundary) drawPort(pane, layers.boxes, b, m);
}

// findTracks joins channels that meet in FIFOs. Parallel tracks are numbered.
function findTracks() {
  const bySource = new Map(F.channels.map(c => [c.src + "." + c.src_port, c]));
  const isFIFO = i => i >= 0 && F.components[i].kind === "fifo";
  const tracks = [];
  for (const first of F.channels) {
    if (isFIFO(first.src) || first.src < 0 && first.src_port < 0 || first.dst < 0 && first.dst_port < 0) continue;
    const t = {channels: [first.id], from: end(first.src, first.src_port, true), out: `out:${first.src}.${first.src_port}`, fifos: 0};
    let c = first;
    while (c && isFIFO(c.dst)) {
      t.fifos++;
      c = bySource.get(c.dst + ".0");
      if (c && t.channels.includes(c.id)) c = null;
      if (c) t.channels.push(c.id);
    }
    if (!c || c.dst < 0 && c.dst_port < 0) continue;
    t.to = end(c.dst, c.dst_port, false);
    t.into = `in:${c.dst}.${c.dst_port}`;
    t.edges = [...new Set(t.channels.flatMap(c => edgesOver.get(c) || []))];
    tracks.push(t);
  }
  const beside = new Map();
  for (const t of tracks) {
    const key = `${t.from.x},${t.from.y}>${t.to.x},${t.to.y}`;
    t.lane = beside.get(key) || 0;
    beside.set(key, t.lane + 1);
    // A link across most of the drawing would hide what it passes: those that close a
    // torus.
    t.far = Math.abs(t.to.x - t.from.x) > Math.max(3.5, 0.55 * F.width) || Math.abs(t.to.y - t.from.y) > Math.max(3.5, 0.55 * F.height);
  }
  return tracks;
}

// end is a component, or a port of the boundary.
function end(comp, port, input) {
  if (comp >= 0) return F.components[comp];
  return F.boundary.filter(b => b.input === input)[port];
}

// fabricMetrics is the size of a cell and of what stands in it.
function fabricMetrics(w, h, tracks) {
  const top = 22, rim = tracks.some(t => t.far) ? 24 : 4; // for stubs
  let cx = (w - 2 * rim) / (F.width + 0.56), cy = (h - top - 2 * rim) / (F.height - 0.1);
  [cx, cy] = [Math.min(cx, 2.4 * cy), Math.min(cy, 1.8 * cx)];
  const small = Math.min(cx, cy);
  const x0 = (w - cx * (F.width - 1)) / 2, y0 = top + (h - top - cy * (F.height - 1)) / 2;
  const box = [Math.min(0.74 * cx, 120), Math.min(0.4 * cy, 42)], sw = Math.min(0.27 * small, 20);
  const halves = {spatial_pe: box, memory: box, extmemory: box, spatial_sw: [sw, sw], load_lane: [0.15 * cx, 0.14 * cy],
    store_lane: [0.15 * cx, 0.14 * cy], temporal_sw: [0.1 * small, 0.1 * small]};
  const lanes = 1 + Math.max(0, ...tracks.map(t => t.lane));
  return {
    small, sw, x: x => x0 + x * cx, y: y => y0 + y * cy,
    half: c => !c.kind ? [Math.min(0.46 * cx, 46), Math.min(0.19 * cy, 13)] : halves[c.kind] || [0.09 * small, 0.09 * small],
    // Tracks stand on their right-hand side.
    lane: k => Math.min(1.4 + 3.2 * k, (sw - 1) * (k + 0.6) / lanes),
  };
}

// rim is where the way from a box in a direction leaves it.
function rim(m, c, dx, dy) {
  const [hx, hy] = m.half(c), k = Math.min(hx / (Math.abs(dx) || 1e-9), hy / (Math.abs(dy) || 1e-9));
  return [m.x(c.x) + dx * k, m.y(c.y) + dy * k];
}

// drawTrack draws the channels between two components.
function drawTrack(layers, t, m, ends) {
  const dx = m.x(t.to.x) - m.x(t.from.x), dy = m.y(t.to.y) - m.y(t.from.y), n = Math.hypot(dx, dy) || 1;
  const ox = -dy / n * m.lane(t.lane), oy = dx / n * m.lane(t.lane);
  const p = rim(m, t.from, dx, dy), q = rim(m, t.to, -dx, -dy);
  const at = {x1: p[0] + ox, y1: p[1] + oy, x2: q[0] + ox, y2: q[1] + oy};
  ends.set(t.out, [at.x1, at.y1]);
  ends.set(t.into, [at.x2, at.y2]);
  addTrack(t, el(t.edges.length ? layers.over : layers.under, "line", {...at, class: t.edges.length ? "used" : "track"}));
  if (t.edges.length) grabTrack(t, el(layers.grabs, "line", {...at, class: "grab"}));
}

function addTrack(t, line) {
  for (const c of t.channels) addTo(channelLines, c, line);
  for (const e of t.edges) belongs("fabric", e, line);
}

function grabTrack(t, e) {
  tip(e, [...new Set(t.edges.map(i => terminal(M.edges[i].source, true)))].join(", ") + `\n${t.from.name} to ${t.to.name}, ${t.fifos} FIFO`);
  react(e, {edges: t.edges});
}

// drawStubs draws links that would cross the picture as short stubs; both ends have the
// same number.
function drawStubs(pane, layers, tracks, m, ends) {
  const pairs = new Map();
  for (const t of tracks) addTo(pairs, [t.from.name, t.to.name].sort().join(" "), t);
  const sides = new Map(); // of a component: its stubs
  let number = 0;
  for (const list of pairs.values()) {
    number++;
    for (const name of new Set([list[0].from.name, list[0].to.name])) {
      const me = list[0].from.name === name ? list[0].from : list[0].to, other = me === list[0].from ? list[0].to : list[0].from;
      addTo(sides, name + sideOf(me, other), {me, other, side: sideOf(me, other), list, number});
    }
  }
  for (const stubs of sides.values()) stubs.forEach((s, k) => drawStub(pane, layers, s, k - (stubs.length - 1) / 2, m, ends));
}

// sideOf is the side of a component that a stub leaves: away from the other end if
// it stands at the rim of the drawing there, toward it else.
function sideOf(me, other) {
  const dx = (other.x - me.x) / F.width, dy = (other.y - me.y) / F.height;
  const across = Math.abs(dx) >= Math.abs(dy);
  const d = across ? dx : dy, at = across ? me.x / (F.width - 1) : me.y / (F.height - 1);
  const away = d > 0 ? at < 0.3 : at > 0.7;
  const plus = d > 0 !== away;
  return across ? (plus ? "right" : "left") : (plus ? "bottom" : "top");
}

function drawStub(pane, layers, s, k, m, ends) {
  const [ux, uy] = {right: [1, 0], left: [-1, 0], bottom: [0, 1], top: [0, -1]}[s.side];
  const [hx, hy] = m.half(s.me), size = 9.5, pitch = uy ? 8 + 6.5 * String(s.number).length : 12, length = Math.max(5, 0.12 * m.small);
  const x = m.x(s.me.x) + ux * hx - uy * k * pitch, y = m.y(s.me.y) + uy * hy + ux * k * pitch;
  const used = [...new Set(s.list.flatMap(t => t.edges))];
  const at = {x1: x, y1: y, x2: x + ux * length, y2: y + uy * length};
  const line = el(used.length ? layers.over : layers.under, "line", {...at, class: used.length ? "used" : "track", "data-stub": s.number});
  for (const t of s.list) {
    addTrack(t, line);
    if (t.from === s.me) ends.set(t.out, [x, y]);
    if (t.to === s.me) ends.set(t.into, [x, y]);
  }
  pane.label(layers.labels, size, {class: "stub", x: at.x2 + ux * 7, y: at.y2 + uy * 6}, String(s.number));
  const grab = el(layers.grabs, "line", {...at, x2: at.x2 + ux * 12, y2: at.y2 + uy * 12, class: "grab"});
  if (used.length) grabTrack({...s.list[0], edges: used}, grab); else tip(grab, `${s.me.name} to ${s.other.name}`);
}

// drawInside draws the ways of edges through switches and PEs.
function drawInside(parent, m, ends) {
  const drawn = new Map();
  D.paths.forEach((path, i) => path.steps.forEach(s => {
    const c = compByName.get(s.component);
    if (!c || c.kind === "fifo") return;
    const centre = [m.x(c.x), m.y(c.y)];
    const a = s.in >= 0 ? ends.get(`in:${c.id}.${s.in}`) : centre, b = s.out >= 0 ? ends.get(`out:${c.id}.${s.out}`) : centre;
    if (!a || !b) return;
    const key = [c.id, s.in, s.out].join();
    if (!drawn.has(key)) drawn.set(key, el(parent, "line", {x1: a[0], y1: a[1], x2: b[0], y2: b[1], class: "inner"}));
    belongs("fabric", i, drawn.get(key));
  }));
}

// Accesses at lanes, slots of switches and regions of memories, for the details.
const accessAt = new Map(), slotsOf = new Map(), regionsOf = new Map();
for (const x of M ? M.memories : []) for (const a of x.accesses) if (a.component !== x.component)
  accessAt.set(a.component, {label: `${a.kind} ${a.index}`, text: `${a.kind} ${a.index} of #${x.op} ${M.ops[x.op].name} on ${x.component}, tag ${a.tag}`});
for (const s of M ? M.temporal_switches : []) slotsOf.set(s.component, s.slots);
for (const r of M ? M.regions : []) addTo(regionsOf, r.component, r);

// compText describes a component: what it is, what runs on it, how it is configured.
function compText(c) {
  const lines = [`${c.kind} ${c.name}`], ops = opsOn.get(c.name) || [];
  if (ops.length) lines.push(ops.map(o => `#${o.index} ${o.name}`).join(", "));
  if (accessAt.has(c.name)) lines.push(accessAt.get(c.name).text);
  for (const s of slotsOf.get(c.name) || []) lines.push(`tag ${s.tag}: ` + s.routes.map(r => `input ${r[1]} → output ${r[0]}`).join(", "));
  for (const r of regionsOf.get(c.name) || []) {
    const x = M.memories.find(x => x.component === c.name && x.region === r.region);
    if (x) lines.push(`region ${r.region}: #${x.op} ${M.ops[x.op].name}` + (x.table ? ' in external memory' : x.arg < 0 ? ` from element ${x.first_element}` : ` of argument ${M.args[x.arg].name}`) +
      (r.end_tag > r.start_tag ? `, tags ${r.start_tag} to ${r.end_tag - 1}` : ""));
  }
  if (c.units) lines.push("units: " + c.units.join(", "));
  return lines.join("\n");
}

// compLabel is the text on a component.
function compLabel(c) {
  const nodes = nodesOn.get(c.name) || [];
  if (c.kind.endsWith("_sw")) return "";
  if (!M) return c.kind === "spatial_pe" ? c.name : {memory: "on chip", extmemory: "external"}[c.kind] || "";
  if (nodes.length) {
    // Of a unit of several operations the first, and how many others it has beside its constants.
    const labels = nodes.map(i => G.nodes[i].label.replace(/^array /, ""));
    const others = c.kind === "spatial_pe" ? labels.slice(1).filter(l => !l.startsWith("constant")) : [];
    if (c.kind !== "spatial_pe") return labels.join(" + ");
    return labels[0] + (others.length ? ` +${others.length}` : "");
  }
  if (c.kind.endsWith("_lane")) return accessAt.has(c.name) ? accessAt.get(c.name).label : c.kind.replace("_lane", "");
  return {memory: "on chip", extmemory: "external"}[c.kind] || "";
}

// drawComponent draws a box with what runs there.
function drawComponent(pane, parent, c, m) {
  const [hx, hy] = m.half(c), x = m.x(c.x), y = m.y(c.y), nodes = nodesOn.get(c.name) || [];
  const memory = c.kind.includes("memory"), lane = c.kind.endsWith("_lane") || c.kind === "temporal_sw";
  const used = nodes.length > 0 || accessAt.has(c.name) || slotsOf.has(c.name);
  const kind = !used ? "unused" : memory ? "memory" : lane ? "lane" : "unit";
  const g = el(parent, "g", {class: `node ${kind}`, "data-comp": c.id, role: "button", tabindex: -1, "aria-label": compText(c)});
  el(g, "rect", {x: x - hx, y: y - hy, width: 2 * hx, height: 2 * hy, rx: c.kind.endsWith("_sw") ? 2 : Math.min(5, hy / 2)});
  tip(g, compText(c));
  if (nodes.length) own(g, Math.max(...nodes.map(i => G.nodes[i].loop)));
  compNodes.set(c.id, g);
  // A second line has the value, where there is room for two.
  const label = compLabel(c), two = T && used && (memory || c.kind === "spatial_pe") && 0.86 * hy >= LEGIBLE;
  if (label) {
    // A label too long for its box at a legible size is cut.
    const size = Math.min(17, hy * (two ? 0.86 : 1.3), Math.max(LEGIBLE + 0.2, (2 * hx - 4) / textWidth(label)));
    pane.label(g, size, {x, y: two ? y - 0.56 * size : y}, cut(label, 2 * hx - 3, size));
    if (two) g.value = {text: pane.label(g, size, {x, y: y + 0.56 * size, class: "value"}, ""), width: 2 * hx - 4, size};
  }
  for (const i of edgesAt(c)) belongs("fabric", i, g);
  react(g, {comp: c.name});
}

// edgesAt are the edges that begin, end or, in what is set for them, pass at a component.
function edgesAt(c) {
  const nodes = nodesOn.get(c.name) || [];
  if (nodes.length) return new Set(nodes.flatMap(i => edgesOf[i]));
  if (!passes.has(c.name)) return [];
  return c.kind === "spatial_sw" ? [] : passes.get(c.name);
}
const passes = new Map();
D.paths.forEach((p, i) => { for (const s of p.steps) if (s.component) addTo(passes, s.component, i); });

// drawPort draws a port of the boundary with the argument or result at it.
function drawPort(pane, parent, b, m) {
  const [hx, hy] = m.half(b), x = m.x(b.x), y = m.y(b.y);
  const bound = !M ? null : b.input ? [...M.args, M.start].find(a => a.port === b.name) : [...M.results, M.done].find(r => r.port === b.name);
  const g = el(parent, "g", {class: "node io port" + (bound ? "" : " unused"), role: "button", tabindex: -1, "aria-label": b.name});
  el(g, "rect", {x: x - hx, y: y - hy, width: 2 * hx, height: 2 * hy, rx: hy});
  tip(g, `${b.input ? "input" : "output"} ${b.name}` + (bound ? `: ${bound.name}, ${bound.type}` : ""));
  const label = bound ? bound.name : b.name, size = Math.min(14, 1.7 * hy, Math.max(9, (2 * hx - 5) / textWidth(label)));
  pane.label(g, size, {x, y}, cut(label, 2 * hx - 4, size));
  const edges = !M ? [] : M.edges.map((e, i) => i).filter(i => M.edges[i].steps.some(s => s.boundary === b.name && (b.input ? s.out >= 0 : s.in >= 0)));
  for (const i of edges) belongs("fabric", i, g);
  react(g, {edges});
}
