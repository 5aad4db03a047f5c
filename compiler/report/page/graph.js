// The dataflow graph. Layers and positions come with the data, in characters; here
// they become pixels.

// drawGraph fills a pane of w by h pixels.
function drawGraph(pane, w, h) {
  parts.graph.clear();
  graphNodes.length = 0;
  const m = graphMetrics(w, h);
  const edges = el(pane.root, "g", {}), grabs = el(pane.root, "g", {}), nodes = el(pane.root, "g", {});
  for (const e of G.edges) drawEdge(edges, grabs, e, m);
  G.nodes.forEach((n, i) => drawNode(pane, nodes, n, i, m));
}

// graphMetrics finds the largest font with which everything fits, and stretches
// the drawing to fill the pane.
function graphMetrics(w, h) {
  const CHAR = 0.56, NODE = 1.6, ROW = 2.55; // of the font size: a character, the height of a node, of a layer
  const top = 26, left = 12, pw = w - 2 * left, ph = h - top - 8;
  const font = Math.min(18, pw / (G.width * CHAR), ph / (G.layers * ROW));
  const unit = font * CHAR, sx = Math.min(1.9, pw / (G.width * unit)), row = Math.min(ph / G.layers, 6.5 * font);
  const x0 = left + (pw - G.width * unit * sx) / 2, y0 = top + (ph - G.layers * row) / 2;
  return {
    font, nodeH: NODE * font, gap: row - NODE * font,
    x: x => x0 + x * unit * sx,
    y: layer => y0 + (layer + 0.5) * row,
    w: n => n.w * unit * Math.min(sx, 1.15),
  };
}

// drawNode draws an operation, argument or result.
function drawNode(pane, parent, n, i, m) {
  const w = m.w(n), x = m.x(n.x) - w / 2, y = m.y(n.layer);
  const g = el(parent, "g", {class: "node " + n.kind, "data-node": i, role: "button", tabindex: -1, "aria-label": nodeName(n) + ", " + n.title});
  const r = el(g, "rect", {x, y: y - m.nodeH / 2, width: w, height: m.nodeH, rx: 0.3 * m.font});
  tip(g, nodeName(n) + "\n" + n.title);
  own(g, n.loop);
  // With values the label stands on the left and the value on the right.
  const pad = 0.4 * m.font, values = T && n.kind !== "result";
  const room = values ? w - 2 * pad - 7 * 0.56 * m.font : w - pad;
  pane.label(g, m.font, values ? {x: x + pad, y, class: "name", style: "text-anchor:start"} : {x: x + w / 2, y, class: "name"}, cut(n.label, room, m.font));
  if (values) {
    const v = pane.label(g, m.font, {x: x + w - pad, y, class: "value", style: "text-anchor:end"}, "");
    g.value = {text: v, width: w - 3 * pad - textWidth(cut(n.label, room, m.font)) * m.font, size: m.font};
  }
  graphNodes[i] = g;
  for (const k of edgesOf[i]) belongs("graph", k, g);
  react(g, {node: i});
}

const nodeName = n => n.op < 0 ? "argument " + n.label : n.kind === "result" ? "result " + n.label : `#${n.op} ${n.label}`;

// own gives an element the colour of its loop.
function own(g, loop) {
  if (loop < 0) return;
  g.classList.add("inloop");
  g.style.setProperty("--own", `var(--loop${loop % 6})`);
}

// drawEdge draws an edge from the bottom of its source over its wires to the top of
// its sink. Edges into a node stand side by side. One against the layers leaves around
// the side of its source, goes up, and comes around to its sink.
function drawEdge(parent, grabs, e, m) {
  const from = G.nodes[e.from], to = G.nodes[e.to], half = m.nodeH / 2;
  const into = G.edges.filter(x => x.to === e.to), k = into.indexOf(e);
  const x1 = m.x(from.x), y1 = m.y(from.layer) + half;
  const x2 = m.x(to.x) + m.w(to) * ((k + 1) / (into.length + 1) - 0.5), y2 = m.y(to.layer) - half;
  const via = e.via.map(v => [m.x(v[0]), m.y(v[1])]);
  let d = `M${x1} ${y1}`;
  if (e.back) {
    const bend = 0.8 * m.gap, out = via[0][0], home = via.at(-1)[0];
    d += ` C${x1} ${y1 + bend} ${out} ${y1 + bend} ${out} ${y1}` + smooth([[out, y1], ...via.slice(1, -1), [home, y2]]) +
      ` C${home} ${y2 - bend} ${x2} ${y2 - bend} ${x2} ${y2}`;
  } else d += smooth([[x1, y1], ...via, [x2, y2]]);
  const a = 0.28 * m.font;
  d += ` M${x2 - a} ${y2 - 1.6 * a} L${x2} ${y2} L${x2 + a} ${y2 - 1.6 * a}`;
  belongs("graph", e.edge, el(parent, "path", {d, class: "edge " + e.type, "data-edge": e.edge}));
  react(el(grabs, "path", {d, class: "grab"}), {edges: [e.edge]});
}

// smooth is a curve through points, vertical at both ends and without overshoot.
function smooth(p) {
  const slope = p.map((q, i) => {
    if (i === 0 || i === p.length - 1) return 0;
    const a = (q[0] - p[i - 1][0]) / (q[1] - p[i - 1][1] || 1), b = (p[i + 1][0] - q[0]) / (p[i + 1][1] - q[1] || 1);
    return a * b <= 0 ? 0 : Math.sign(a) * Math.min(Math.abs(a), Math.abs(b));
  });
  let d = "";
  for (let i = 1; i < p.length; i++) {
    const dy = (p[i][1] - p[i - 1][1]) / (slope[i] || slope[i - 1] ? 3 : 2);
    d += ` C${p[i - 1][0] + slope[i - 1] * dy} ${p[i - 1][1] + dy} ${p[i][0] - slope[i] * dy} ${p[i][1] - dy} ${p[i][0]} ${p[i][1]}`;
  }
  return d;
}
