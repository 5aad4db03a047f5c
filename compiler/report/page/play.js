// Playback of a run: which channels carry a token, what every unit does, and the
// values on the nodes of the graph.

let now = 0, timer = null;
let lit = []; // [element, class] of this cycle

// go shows a cycle.
function go(cycle) {
  now = Math.max(0, Math.min(T.shown - 1, Math.round(cycle) || 0));
  for (const [e, k] of lit) e.classList.remove(k);
  lit = [];
  let tokens = 0;
  for (const id in T.channels) {
    const at = T.channels[id].at;
    if (at[upTo(at, now) - 1] !== now) continue;
    tokens++;
    for (const e of channelLines.get(+id) || []) light(e, "token");
    for (const e of edgesOver.get(+id) || []) if (moves(e, id, now)) for (const p of parts.graph.get(e) || []) if (p.tagName === "path") light(p, "token");
  }
  for (const id in T.states) showState(+id, stateOf(+id, now));
  G.nodes.forEach((n, i) => showNode(n, i));
  byId("slider").value = now;
  byId("cycle").value = now;
  byId("now").textContent = `of ${T.cycles}, ${tokens} channels carry a token`;
  details(chosen || hovered);
  paintTimeline();
}

function light(e, k) {
  e.classList.add(k);
  lit.push([e, k]);
}

// showState marks a component and the operations on it.
function showState(id, state) {
  const g = compNodes.get(id);
  if (state < 0) return;
  if (g) light(g, STATES[state]);
  for (const i of nodesOn.get(F.components[id].name) || []) light(graphNodes[i], STATES[state]);
}

// showNode writes the latest value of a node, or what it waits for.
function showNode(n, i) {
  const text = nodeText(n, i);
  setValue(graphNodes[i], text);
  if (!n.component) return;
  const mine = nodesOn.get(n.component), g = compNodes.get(compByName.get(n.component).id);
  if (mine.at(-1) === i) setValue(g, text);
}

// nodeText is what stands beside the label of a node.
function nodeText(n, i) {
  if (heat() >= 0) return n.component ? Math.round(share(compByName.get(n.component).id, heat())) + " %" : "";
  const state = n.component ? stateOf(compByName.get(n.component).id, now) : -1;
  if (state > 0) return "…" + STATES[state];
  return latestValue(i);
}

// latestValue is what a node sent last: a value for each result that gave a token
// in that cycle.
function latestValue(i) {
  let best = -1, values = new Map();
  for (const e of edgesOf[i]) {
    if (!routed(e) || M.edges[e].kind !== "routed" || G.edges.find(x => x.edge === e).from !== i) continue;
    const s = sent(e), k = upTo(s.at, now) - 1;
    if (k < 0 || s.at[k] < best) continue;
    if (s.at[k] > best) values = new Map();
    best = s.at[k];
    values.set(M.edges[e].source.port, tokenText(e, s, k));
  }
  return [...values.keys()].sort((a, b) => a - b).map(p => values.get(p)).join(" ");
}

// setValue writes the second text of a box, cut to its room.
function setValue(g, text) {
  if (!g || !g.value) return;
  g.value.text.textContent = cut(text, g.value.width, g.value.size);
  g.value.text.dataset.full = text;
}

// play starts or stops.
function play() {
  const stop = timer !== null;
  if (stop) { clearInterval(timer); timer = null; } else startTimer();
  byId("play").textContent = stop ? "play" : "stop";
}
function startTimer() {
  timer = setInterval(() => go(now + 1 < T.shown ? now + 1 : 0), 1000 / byId("speed").value);
}

// setUpPlayer connects the controls.
function setUpPlayer() {
  byId("player").hidden = false;
  byId("slider").max = byId("cycle").max = T.shown - 1;
  byId("slider").addEventListener("input", e => go(+e.target.value));
  byId("cycle").addEventListener("change", e => go(+e.target.value));
  byId("back").addEventListener("click", () => go(now - 1));
  byId("forth").addEventListener("click", () => go(now + 1));
  byId("play").addEventListener("click", play);
  byId("speed").addEventListener("change", () => { if (timer !== null) { clearInterval(timer); startTimer(); } });
  byId("wider").addEventListener("click", () => zoomTimeline(2));
  byId("closer").addEventListener("click", () => zoomTimeline(0.5));
  byId("taller").addEventListener("click", () => { document.body.classList.toggle("tall"); });
}
