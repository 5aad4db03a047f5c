// The data of the page, and questions about it that need no drawing.

const D = JSON.parse(document.getElementById("data").textContent);
const M = D.mapping, F = D.fabric, G = D.graph, T = D.trace;
const byId = id => document.getElementById(id);

// compByName finds components, opsOn the operations on one, by name.
const compByName = new Map(F.components.map(c => [c.name, c]));
const opsOn = new Map();
for (const o of M ? M.ops : []) if (o.component) addTo(opsOn, o.component, o);

// nodesOn are the graph's nodes on a component, edgesOf the edges at a node, edgesOver
// the edges over a channel.
const nodesOn = new Map(), edgesOf = G ? G.nodes.map(() => []) : [], edgesOver = new Map();
if (G) {
  G.nodes.forEach((n, i) => { if (n.component) addTo(nodesOn, n.component, i); });
  for (const e of G.edges) for (const v of new Set([e.from, e.to])) edgesOf[v].push(e.edge);
  D.paths.forEach((p, i) => { for (const c of p.channels) addTo(edgesOver, c, i); });
}

// addTo appends to a list in a map.
function addTo(map, key, value) {
  if (!map.has(key)) map.set(key, []);
  map.get(key).push(value);
}

// terminal names an end of an edge.
function terminal(t, source) {
  if (t.op < 0) return "argument " + (t.port < M.args.length ? M.args[t.port].name : M.start.name);
  if (!source && t.op === M.ops.length - 1) return "result " + (t.port < M.results.length ? M.results[t.port].name : M.done.name);
  const o = M.ops[t.op];
  return `#${t.op} ${o.name}${o.label ? " %" + o.label : ""} [${t.port}]`;
}

// Runs. Channels and states come as distances; here they get absolute cycles.
if (T) {
  for (const id in T.channels) {
    const c = T.channels[id];
    let at = 0;
    c.at = c.at.map(d => at += d);
  }
  // The cycles in which the iterations of each loop pass where it is slowest.
  T.iterations = T.meters.map(m => {
    const c = T.channels[m.channel];
    return !c ? [] : m.raw ? c.at.filter((_, i) => Number(BigInt(c.value[i]) & 1n)) : c.at;
  });
  for (const id in T.states) T.states[id] = spansOf(T.states[id]);
}

// spansOf turns from, length, state, … into columns.
function spansOf(list) {
  const s = {from: [], to: [], state: []};
  let at = 0;
  for (let i = 0; i < list.length; i += 3) {
    s.from.push(at + list[i]);
    at += list[i] + list[i + 1];
    s.to.push(at);
    s.state.push(list[i + 2]);
  }
  return s;
}

// upTo is the number of elements of a sorted list that are not above x.
function upTo(list, x) {
  let lo = 0, hi = list.length;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (list[mid] <= x) lo = mid + 1; else hi = mid;
  }
  return lo;
}

// The states of a component, by number.
const STATES = ["active", "data", "room"], WORDS = ["active", "waits for data", "waits for room"];

// stateOf is the number of a component's state in a cycle, -1 for idle.
function stateOf(comp, cycle) {
  const s = T.states[comp];
  if (!s) return -1;
  const i = upTo(s.from, cycle) - 1;
  return i >= 0 && cycle < s.to[i] ? s.state[i] : -1;
}

// tokensOn are the tokens of an edge on a channel: cycles and values. Channels with
// tags carry the tokens of several edges.
const tokenCache = new Map();
function tokensOn(edge, channel) {
  const key = edge + "," + channel;
  if (!tokenCache.has(key)) tokenCache.set(key, pick(T.channels[channel], D.paths[edge].tag));
  return tokenCache.get(key);
}
function pick(c, tag) {
  if (!c) return {at: [], value: []};
  if (!c.tag || tag < 0) return c;
  const keep = c.tag.map((t, i) => t === tag ? i : -1).filter(i => i >= 0);
  return {at: keep.map(i => c.at[i]), value: keep.map(i => c.value[i])};
}
const sent = e => tokensOn(e, D.paths[e].channels[0]);
const got = e => tokensOn(e, D.paths[e].channels.at(-1));
const routed = e => D.paths[e].channels.length > 0;

// moves reports whether a token of an edge crosses a channel in a cycle.
function moves(edge, channel, cycle) {
  const t = tokensOn(edge, channel);
  return t.at[upTo(t.at, cycle) - 1] === cycle;
}

// formatValue spells the bits of a token by its type; width is that of its channel.
function formatValue(type, bits, width) {
  if (type === "none") return "•";
  let v = BigInt(bits);
  const float = {f32: 4, f64: 8}[type];
  if (float) {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, v << BigInt(64 - 8 * float));
    return shortFloat(float === 4 ? view.getFloat32(0) : view.getFloat64(0));
  }
  const w = type === "index" ? width : Number(/^i(\d+)$/.exec(type)?.[1] ?? width);
  v = BigInt.asUintN(w, v);
  return String(w > 1 ? BigInt.asIntN(w, v) : v);
}
function shortFloat(x) {
  const s = String(Object.is(x, -0) ? "-0.0" : x);
  return s.length > 8 ? x.toPrecision(4) : s;
}

// tokenText is the i-th token of an edge's first channel.
function tokenText(e, tokens, i) {
  const type = G.edges.find(x => x.edge === e).type;
  return formatValue(type, tokens.value[i], F.channels[D.paths[e].channels[0]].width);
}

// share is the percentage of the run's cycles that a component spent in a state.
function share(comp, state) {
  return T && T.totals[comp] ? 100 * T.totals[comp][state] / T.cycles : 0;
}

// rate spells a fraction of cycles per token.
const rate = r => r.tokens > 1 ? r.cycles + "/" + r.tokens : String(r.cycles);
const expected = l => !l.expected_ii_at_most ? "≥ " + rate(l.expected_ii) :
  rate(l.expected_ii) + (rate(l.expected_ii) === rate(l.expected_ii_at_most) ? "" : " to " + rate(l.expected_ii_at_most));
const loopName = i => { const l = M.timing.loops[i]; return (l.label || "#" + l.op).replace(/_raw$|_more$/, ""); };
