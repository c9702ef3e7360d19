"use strict";
// Plays the runs in #data: bodies on a canvas, outputs below, one clock for both.

const data = JSON.parse(document.getElementById("data").textContent);
const INK = "#1f2933", PALE = "#7b8794", GRID = "#e4e7eb", CURSOR = "#c2410c";
const PLOT_COLORS = ["#1d4ed8", "#b45309", "#047857", "#9d174d"];
const TRAIL = "#c2410c";

function numbers(text) {
  const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  return new Float32Array(bytes.buffer);
}

for (const run of data.runs) {
  run.coordinates = numbers(run.coordinates);
  run.end = Math.max(0, run.frames - 1) * run.interval;
  run.stride = run.bodies.reduce((sum, body) => sum + (body.spatial ? 7 : 3), 0);
  for (const plot of run.plots) {
    plot.unit = plot.unit.replaceAll("^2", "²").replaceAll("^3", "³").replaceAll("*", "·");
    plot.times = numbers(plot.times);
    plot.values = numbers(plot.values);
    if (plot.times.length) run.end = Math.max(run.end, plot.times[plot.times.length - 1]);
  }
}
const first = data.runs[0];
const end = Math.max(...data.runs.map(run => run.end)) || 1e-9;
// plots reach to a round number that the end nearly reaches
const round = Math.ceil(end / niceStep(end / 9)) * niceStep(end / 9);
const reach = round - end < 0.005 * end ? round : end;

// ---- Vectors, and where things are -------------------------------------------------------------------------------

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scale = (f, a) => [f * a[0], f * a[1], f * a[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a, otherwise) => { const l = Math.hypot(...a); return l > 0 ? scale(1 / l, a) : otherwise; };
const GROUND = { origin: [0, 0, 0], x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };

// A point of a frame with the origin and the axes of `pose`.
function place(pose, p) {
  const { origin: o, x, y, z } = pose;
  return [0, 1, 2].map(i => o[i] + p[0] * x[i] + p[1] * y[i] + p[2] * z[i]);
}

// Where the bodies of a run are at a time, between two pictures in a straight line.
function posesAt(run, time) {
  const last = run.frames - 1;
  const at = run.interval > 0 ? Math.min(Math.max(time / run.interval, 0), last) : 0;
  const k = Math.min(Math.floor(at), Math.max(last - 1, 0)), share = at - k;
  const q = i => {
    const here = run.coordinates[k * run.stride + i];
    return share > 0 ? here + share * (run.coordinates[(k + 1) * run.stride + i] - here) : here;
  };
  let i = 0;
  return run.bodies.map(body => {
    const pose = body.spatial ? spatial([0, 1, 2, 3, 4, 5, 6].map(j => q(i + j))) : planar(q(i), q(i + 1), q(i + 2), body.layer);
    i += body.spatial ? 7 : 3;
    return pose;
  });
}

function planar(x, y, angle, layer) {
  const s = Math.sin(angle), c = Math.cos(angle);
  return { origin: [x, y, layer], x: [c, s, 0], y: [-s, c, 0], z: [0, 0, 1] };
}

function spatial(q) {
  const norm = Math.hypot(q[3], q[4], q[5], q[6]) || 1;
  const [w, x, y, z] = [q[3], q[4], q[5], q[6]].map(e => e / norm);
  return {
    origin: q.slice(0, 3),
    x: [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    y: [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    z: [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
  };
}

const poseOf = (poses, body) => body < 0 ? GROUND : poses[body];

// The frame of an item; of one that reaches from point to point the x axis lies along the line.
function frameOf(item, poses) {
  if (typeof item.place === "number") return poseOf(poses, item.place);
  const { from, to, whole } = item.place;
  const a = place(poseOf(poses, from.body), from.point), b = place(poseOf(poses, to.body), to.point);
  const x = unit(subtract(b, a), [1, 0, 0]);
  const y = unit(cross([0, 0, 1], x), [0, 1, 0]);
  const along = whole ? subtract(b, a) : x;
  return { origin: a, x: along, y, z: cross(x, y) };
}

// ---- The picture: faces and lines, the farthest first ------------------------------------------------------------

const camera = { yaw: 0, pitch: 0, zoom: 1, pan: [0, 0] };
function resetCamera(front) {
  Object.assign(camera, { yaw: front ? 0 : 0.66, pitch: front ? 0 : 0.42, zoom: 1, pan: [0, 0] });
}
resetCamera(first.flat);

// Axes of the picture: to the right, up, towards the viewer.
function viewAxes(run) {
  const toward = cross(run.side, run.up), { yaw, pitch } = camera;
  const level = add(scale(Math.sin(yaw), run.side), scale(Math.cos(yaw), toward));
  const back = add(scale(Math.cos(pitch), level), scale(Math.sin(pitch), run.up));
  const right = cross(run.up, level);
  return { right, up: cross(back, right), back };
}

const shades = new Map();
function shaded(color, shade) {
  const key = color + Math.round(shade * 40);
  if (!shades.has(key)) {
    const part = i => Math.min(255, Math.round(parseInt(color.slice(i, i + 2), 16) * shade));
    shades.set(key, `rgb(${part(1)},${part(3)},${part(5)})`);
  }
  return shades.get(key);
}

// The projection of a run to a part of the canvas.
function projection(run, box) {
  const axes = viewAxes(run);
  const half = axis => Math.abs(axis[0]) * run.reach[0] + Math.abs(axis[1]) * run.reach[1] + Math.abs(axis[2]) * run.reach[2];
  const room = Math.min((box.width - 50) / (2 * half(axes.right) || 1), (box.height - 50) / (2 * half(axes.up) || 1));
  const factor = room * camera.zoom;
  return point => {
    const p = subtract(point, run.middle);
    return [box.x + box.width / 2 + factor * (dot(axes.right, p) + camera.pan[0] * 2 * half(axes.right)),
      box.height / 2 - factor * (dot(axes.up, p) + camera.pan[1] * 2 * half(axes.up)), factor * dot(axes.back, p), factor];
  };
}

function drawRun(context, run, time, box, ghost) {
  const poses = posesAt(run, time), project = projection(run, box);
  const pieces = [];
  for (const item of run.items) {
    const frame = frameOf(item, poses), corners = [];
    for (let i = 0; i < item.points.length; i += 3) {
      corners.push(project(place(frame, [item.points[i], item.points[i + 1], item.points[i + 2]])));
    }
    const lift = 0.12 * run.unit * project(run.middle)[3]; // edges lie a little in front of their faces
    for (const face of item.faces) addFace(pieces, face.map(i => corners[i]), item);
    for (const line of item.lines) {
      for (let i = 1; i < line.length; i++) {
        const [a, b] = [corners[line[i - 1]], corners[line[i]]];
        pieces.push({ depth: (a[2] + b[2]) / 2 + lift, corners: [a, b], line: item.line, width: 1.2 * item.width });
      }
    }
  }
  pieces.sort((a, b) => a.depth - b.depth);
  context.save();
  context.beginPath();
  context.rect(box.x, 0, box.width, box.height);
  context.clip();
  context.globalAlpha = ghost ? 0.22 : 1;
  context.lineJoin = context.lineCap = "round";
  for (const piece of pieces) {
    context.beginPath();
    piece.corners.forEach(([x, y], i) => i ? context.lineTo(x, y) : context.moveTo(x, y));
    context.strokeStyle = piece.line || piece.fill;
    context.lineWidth = piece.width || 0.6; // a face has a thin line of its own color, lest seams show
    if (piece.fill) {
      context.closePath();
      context.fillStyle = piece.fill;
      context.fill();
    }
    context.stroke();
  }
  context.globalAlpha = 1;
  if (!ghost) drawTrails(context, run, time, project);
  context.restore();
}

// A face that looks at the viewer, brighter where light falls on it from above.
function addFace(pieces, corners, item) {
  let normal = [0, 0, 0];
  for (let i = 2; i < corners.length; i++) {
    const [a, b] = [subtract(corners[i - 1], corners[0]), subtract(corners[i], corners[0])];
    normal = add(normal, cross(b, a)); // the canvas has y downwards
  }
  normal = unit(normal, [0, 0, 0]);
  if (normal[2] <= 1e-9) return;
  const light = Math.min(Math.max(dot(normal, [0.25, -0.75, 0.6]) / 0.6, -1), 1.4);
  const depth = corners.reduce((sum, corner) => sum + corner[2], 0) / corners.length;
  pieces.push({ depth, corners, fill: shaded(item.fill, 0.8 + 0.2 * light) });
}

function stroke(context, color, points) {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.strokeStyle = color;
  context.stroke();
}

const trails = new Set();
function drawTrails(context, run, time, project) {
  const now = Math.min(Math.floor(time / run.interval) || 0, run.frames - 1);
  const step = Math.max(1, Math.ceil(now / 1500));
  for (const name of trails) {
    const trail = run.trails.find(trail => trail.name === name);
    if (!trail) continue;
    const at = time => project(place(posesAt(run, time)[trail.body], trail.point)), points = [];
    for (let k = 0; k <= now; k += step) points.push(at(k * run.interval));
    const [x, y] = at(time);
    context.lineWidth = 1.4;
    stroke(context, TRAIL, [...points, [x, y]]);
    context.beginPath();
    context.arc(x, y, 3, 0, 7);
    context.fillStyle = TRAIL;
    context.fill();
  }
}

// The axes of space and a length to compare with.
function drawScale(context, run, box) {
  const { right, up } = viewAxes(run), [x0, y0, length] = [box.x + 34, box.height - 34, 24];
  context.font = "12px system-ui, sans-serif";
  context.lineWidth = 1.5;
  for (const [name, axis] of [["x", [1, 0, 0]], ["y", [0, 1, 0]], ["z", [0, 0, 1]]]) {
    const [x, y] = [dot(right, axis) * length, -dot(up, axis) * length];
    if (Math.hypot(x, y) < 3) continue;
    stroke(context, PALE, [[x0, y0], [x0 + x, y0 + y]]);
    context.fillStyle = PALE;
    context.textAlign = "center";
    context.fillText(name, x0 + 1.45 * x, y0 + 1.45 * y + 4);
  }
  const factor = projection(run, box)(run.middle)[3];
  const meters = niceStep(110 / factor), x = box.x + box.width - 24;
  if (!(meters * factor < box.width)) return;
  const start = x - meters * factor;
  stroke(context, PALE, [[start, y0 + 5], [start, y0 + 11], [x, y0 + 11], [x, y0 + 5]]);
  context.textAlign = "right";
  context.fillText(inUnits(meters), x, y0);
}

const inUnits = meters => meters >= 1 ? `${+meters.toPrecision(3)} m` : `${+(1000 * meters).toPrecision(3)} mm`;
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(least || 1));
  return [1, 2, 5, 10].map(f => f * power).find(step => step >= 0.999 * least) || power;
}

// ---- Plots -------------------------------------------------------------------------------------------------------

const ROOM = { left: 74, right: 14, top: 20, bottom: 20 };

function valueAt(plot, time) {
  let [low, high] = [0, plot.times.length - 1];
  if (high < 0) return NaN;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (plot.times[middle] <= time) low = middle; else high = middle;
  }
  const width = plot.times[high] - plot.times[low];
  const share = width > 0 ? Math.min(Math.max((time - plot.times[low]) / width, 0), 1) : 0;
  return plot.values[low] + share * (plot.values[high] - plot.values[low]);
}

const short = x => Math.abs(x) >= 1e5 || (x !== 0 && Math.abs(x) < 1e-3) ? x.toExponential(2) : String(+x.toPrecision(4));

// The least range of an axis: one that is more than the rounding of the outputs in the same unit, or of the size and the duration of the
// motion in units of length, angle and time.
function leastRange(name, low, high) {
  const { unit } = data.runs.flatMap(run => run.plots).find(plot => plot.name === name);
  const alike = data.runs.flatMap(run => run.plots).filter(plot => plot.unit === unit);
  let size = Math.max(Math.abs(low), Math.abs(high));
  for (const plot of alike) for (const y of plot.values) size = Math.max(size, Math.abs(y));
  const [, base, order] = /^(m|rad|1)(?:\/s(?:\^([1-9]))?)?$/.exec(unit) || [];
  const rates = unit.includes("/s") ? +(order || 1) : 0;
  if (base) size = Math.max(size, (base === "m" ? Math.max(...first.reach, 0) : 1) / end ** rates);
  return 1e-10 * size;
}

function drawPlot(canvas, name, number) {
  const { context, width, height } = prepared(canvas);
  const plots = data.runs.map(run => run.plots.find(plot => plot.name === name)).filter(Boolean);
  let [low, high] = [Infinity, -Infinity];
  for (const plot of plots) for (const y of plot.values) { low = Math.min(low, y); high = Math.max(high, y); }
  if (!(low <= high)) [low, high] = [0, 1];
  const pad = 0.06 * (high - low) || Math.abs(0.1 * low) || 1;
  low -= pad; high += pad;
  // a range of rounding alone shows nothing
  const least = leastRange(name, low, high);
  if (high - low < least) [low, high] = [0.5 * (low + high - least), 0.5 * (low + high + least)];
  const x = t => ROOM.left + t / reach * (width - ROOM.left - ROOM.right);
  const y = v => height - ROOM.bottom - (v - low) / (high - low) * (height - ROOM.top - ROOM.bottom);
  context.font = "11px system-ui, sans-serif";
  context.lineWidth = 1;
  const ticks = (least, from, to, draw) => {
    const step = niceStep(least);
    for (let k = Math.ceil(from / step); k * step <= to; k++) draw(k * step);
  };
  const grid = (...points) => stroke(context, GRID, points);
  context.fillStyle = PALE;
  ticks((high - low) / 6, low, high, v => {
    grid([ROOM.left, y(v)], [width - ROOM.right, y(v)]);
    context.textAlign = "right";
    context.fillText(short(v), ROOM.left - 6, y(v) + 4);
  });
  ticks(end / 9, 0, reach * 1.0001, t => {
    grid([x(t), ROOM.top], [x(t), height - ROOM.bottom]);
    context.textAlign = "center";
    context.fillText(short(t) + (t === 0 ? " s" : ""), x(t), height - 6);
  });
  plots.forEach((plot, i) => {
    context.setLineDash(i ? [5, 4] : []);
    context.lineWidth = 1.4;
    const points = Array.from(plot.times, (t, k) => [x(t), y(plot.values[k])]);
    stroke(context, PLOT_COLORS[(number + i) % PLOT_COLORS.length], points);
  });
  context.setLineDash([]);
  context.lineWidth = 1;
  stroke(context, CURSOR, [[x(clock.time), ROOM.top], [x(clock.time), height - ROOM.bottom]]);
  context.fillStyle = CURSOR;
  for (const plot of plots) {
    context.beginPath();
    context.arc(x(clock.time), y(valueAt(plot, clock.time)), 3, 0, 7);
    context.fill();
  }
  const unitOf = plots[0].unit === "1" ? "" : " " + plots[0].unit;
  context.font = "bold 12px system-ui, sans-serif";
  context.textAlign = "left";
  context.fillStyle = INK;
  const title = name + (unitOf ? " in" + unitOf : "");
  context.fillText(title, ROOM.left, 13);
  const behind = ROOM.left + context.measureText(title).width + 10;
  const values = plots.map((plot, i) => (plots.length > 1 ? data.runs[i].name + " " : "") + short(valueAt(plot, clock.time)) + unitOf);
  context.textAlign = "right";
  context.font = "12px system-ui, sans-serif";
  const read = values.join("   ");
  context.fillText(read, width - ROOM.right, 13);
  // the doc comment of the output, where there is room for all of its first line
  const explained = (plots[0].text || "").split("\n")[0];
  context.font = "12px system-ui, sans-serif";
  if (explained && behind + context.measureText(explained).width + context.measureText(read).width + 20 < width - ROOM.right) {
    context.textAlign = "left";
    context.fillStyle = PALE;
    context.fillText(explained, behind, 13);
  }
}

// ---- The page ----------------------------------------------------------------------------------------------------

function element(tag, attributes = {}, ...children) {
  const made = Object.assign(document.createElement(tag), attributes);
  made.append(...children);
  return made;
}

// The canvas in the pixels of the screen, empty.
function prepared(canvas) {
  const { clientWidth: width, clientHeight: height } = canvas, ratio = devicePixelRatio || 1;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
}

const clock = { time: 0, playing: false, speed: data.speed || 1, last: 0 };
const hasBodies = first.bodies.length > 0;
const picture = element("canvas"), plotArea = element("div", { id: "plots" }), shown = new Map();
const slider = element("input", { type: "range", min: 0, max: end, step: "any", value: 0, ariaLabel: "time" });
const reading = element("output"), play = element("button", { id: "play", textContent: "Play" });
const speeds = [...new Set([0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, clock.speed])].sort((a, b) => a - b);
const speed = element("select", { title: "speed" }, ...speeds.map(s => element("option", { value: s, textContent: `${+s.toPrecision(3)} x` })));
const compare = element("select", { title: "other runs" },
  ...["ghost", "side by side", "alone"].map(way => element("option", { textContent: way })));
const view = element("select", { title: "view" },
  ...["front", "oblique"].map(name => element("option", { textContent: name, selected: (name === "front") === first.flat })));

function show() {
  if (hasBodies) {
    const { context, width, height } = prepared(picture), others = data.runs.slice(1);
    const beside = others.length && compare.value === "side by side";
    const boxes = data.runs.map((_, i) => beside
      ? { x: i * width / data.runs.length, width: width / data.runs.length, height } : { x: 0, width, height });
    if (!beside && compare.value === "ghost") {
      others.forEach((run, i) => drawRun(context, { ...run, middle: first.middle, reach: first.reach }, clock.time, boxes[i + 1], true));
    }
    data.runs.slice(0, beside ? undefined : 1).forEach((run, i) => {
      drawRun(context, run, clock.time, boxes[i], false);
      drawScale(context, run, boxes[i]);
      context.textAlign = "left";
      context.fillStyle = INK;
      context.font = "13px system-ui, sans-serif";
      if (others.length) context.fillText(run.name + (beside || compare.value === "alone" ? "" : `, pale: ${others.map(run => run.name).join(", ")}`), boxes[i].x + 14, 22);
    });
  }
  [...shown].forEach(([name, canvas], number) => drawPlot(canvas, name, number));
  slider.value = clock.time;
  const digits = Math.min(Math.max(4 - Math.floor(Math.log10(end)), 3), 20);
  reading.textContent = `${clock.time.toFixed(digits)} of ${+end.toPrecision(5)} s`;
}

let asked = false;
function redraw() {
  if (!asked) requestAnimationFrame(now => { asked = false; tick(now); show(); });
  asked = true;
}

function tick(now) {
  if (!clock.playing) return;
  clock.time += clock.speed * Math.min(now - clock.last, 100) / 1000;
  clock.last = now;
  if (clock.time > end) clock.time %= end;
  redraw();
}

function setPlaying(on) {
  Object.assign(clock, { playing: on, last: performance.now() });
  play.textContent = on ? "Pause" : "Play";
  redraw();
}

function setTime(time) {
  clock.time = Math.min(Math.max(time, 0), end);
  redraw();
}

function choose(name, on) {
  if (on && !shown.has(name)) {
    const canvas = element("canvas");
    const seek = event => {
      if (event.type !== "pointerdown" && !event.buttons) return;
      setTime((event.offsetX - ROOM.left) / (canvas.clientWidth - ROOM.left - ROOM.right) * reach);
    };
    canvas.addEventListener("pointerdown", seek);
    canvas.addEventListener("pointermove", seek);
    shown.set(name, canvas);
    plotArea.append(canvas);
  } else if (!on) {
    shown.get(name)?.remove();
    shown.delete(name);
  }
  redraw();
}

function checkbox(checked, changed, ...label) {
  const box = element("input", { type: "checkbox", checked });
  box.addEventListener("change", () => changed(box.checked));
  return element("label", {}, box, ...label);
}

function build() {
  const side = element("aside");
  if (hasBodies) {
    side.append(element("h2", { textContent: "Bodies" }));
    for (const body of first.bodies) {
      const chip = element("span", { className: "chip" });
      chip.style.background = body.color;
      side.append(element("label", { title: body.text }, chip, body.name));
    }
    side.append(element("h2", { textContent: "Trails" }));
    for (const { name } of first.trails) {
      side.append(checkbox(trails.has(name), on => { trails[on ? "add" : "delete"](name); redraw(); }, name));
    }
  }
  if (first.plots.length) side.append(element("h2", { textContent: "Outputs" }));
  first.plots.forEach((plot, i) => {
    const on = i < (hasBodies ? 2 : 8);
    const label = checkbox(on, on => choose(plot.name, on), plot.name, element("span", { className: "unit", textContent: plot.unit === "1" ? "" : plot.unit }));
    label.title = plot.text;
    side.append(label);
    if (on) choose(plot.name, true);
  });
  const middle = element("main");
  if (hasBodies) middle.append(element("div", { id: "scene" }, picture)); else plotArea.className = "alone";
  middle.append(plotArea);
  speed.value = clock.speed;
  const controls = element("footer", {}, play, slider, reading, speed);
  if (hasBodies) controls.append(view);
  if (data.runs.length > 1) controls.append(compare);
  const text = data.text ? [element("p", { textContent: data.text })] : [];
  document.body.append(element("header", {}, element("h1", { textContent: data.title }), ...text), middle, side, controls);
}

function listen() {
  play.addEventListener("click", () => setPlaying(!clock.playing));
  slider.addEventListener("input", () => setTime(+slider.value));
  speed.addEventListener("change", () => { clock.speed = +speed.value; });
  compare.addEventListener("change", redraw);
  view.addEventListener("change", () => { resetCamera(view.value === "front"); redraw(); });
  picture.addEventListener("pointerdown", event => picture.setPointerCapture(event.pointerId));
  picture.addEventListener("pointermove", event => {
    if (!event.buttons) return;
    const [dx, dy] = [event.movementX / picture.clientWidth, event.movementY / picture.clientHeight];
    if (event.buttons > 1 || event.shiftKey) {
      camera.pan = [camera.pan[0] + dx / camera.zoom, camera.pan[1] - dy / camera.zoom];
    } else {
      camera.yaw -= 4 * dx;
      camera.pitch = Math.min(Math.max(camera.pitch + 3 * dy, -1.5), 1.5);
    }
    redraw();
  });
  picture.addEventListener("contextmenu", event => event.preventDefault());
  picture.addEventListener("wheel", event => {
    event.preventDefault();
    camera.zoom = Math.min(Math.max(camera.zoom * Math.exp(-0.0012 * event.deltaY), 0.1), 60);
    redraw();
  }, { passive: false });
  picture.addEventListener("dblclick", () => { resetCamera(view.value === "front"); redraw(); });
  document.addEventListener("keydown", event => {
    if (event.target.matches?.("select, input[type=checkbox]")) return;
    if (event.key === " ") { event.preventDefault(); setPlaying(!clock.playing); }
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      event.preventDefault();
      setTime(clock.time + (event.key === "ArrowRight" ? 1 : -1) * Math.max(first.interval, end / 500));
    }
  });
  addEventListener("resize", redraw);
}

// `page.html#t=1.5` opens at 1.5 s, with `&trails=a,b` with the trails of these points.
function fromAddress() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  if (wanted.has("t")) clock.time = Math.min(Math.max(+wanted.get("t") || 0, 0), end);
  for (const name of (wanted.get("trails") || "").split(",").filter(Boolean)) trails.add(name);
  if (wanted.has("view")) { view.value = wanted.get("view"); resetCamera(view.value === "front"); }
  if (wanted.has("compare")) compare.value = wanted.get("compare");
}

fromAddress();
build();
listen();
redraw();
