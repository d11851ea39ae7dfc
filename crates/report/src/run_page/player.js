// Plays the frames of a run. Lengths are centimetres, angles thousandths of a radian.
(function () {
  "use strict";
  var run = JSON.parse(document.getElementById("run").textContent);
  var canvas = document.getElementById("view"), slider = document.getElementById("slider");
  var play = document.getElementById("play"), clock = document.getElementById("clock");
  var speed = document.getElementById("speed"), whole = document.getElementById("whole");
  var count = run.time_s.length, last = count - 1, at = last, playing = false;
  var hasScans = run.hits.some(function (hits) { return hits.length > 0; });
  var image = null, known = null, box = bounds(), view = null, grown = null, drawn = 0;
  var PATHS = ["#0072b2", "#e69f00", "#56b4e9", "#cc79a7"];

  function bounds() {
    var b = [Infinity, Infinity, -Infinity, -Infinity];
    function add(x, y) {
      b[0] = Math.min(b[0], x); b[1] = Math.min(b[1], y); b[2] = Math.max(b[2], x); b[3] = Math.max(b[3], y);
    }
    run.robots.forEach(function (r) { for (var i = 0; i < r.length; i += 3) add(r[i], r[i + 1]); });
    // A few far hits, such as through a window, do not make the rest small.
    var xs = [], ys = [];
    run.hits.forEach(function (h) { for (var i = 0; i < h.length; i += 2) { xs.push(h[i]); ys.push(h[i + 1]); } });
    function order(a, b) { return a - b; }
    if (xs.length) {
      xs.sort(order); ys.sort(order);
      var low = Math.floor(xs.length * 0.002), high = xs.length - 1 - low;
      add(xs[low], ys[low]); add(xs[high], ys[high]);
    }
    if (run.map && !xs.length) {
      var m = run.map, c = Math.cos(m.turn), s = Math.sin(m.turn);
      [[0, 0], [m.width, 0], [0, m.height], [m.width, m.height]].forEach(function (p) {
        add(m.x + c * p[0] - s * p[1], m.y + s * p[0] + c * p[1]);
      });
    }
    var margin = 0.03 * Math.max(b[2] - b[0], b[3] - b[1], 100);
    return [b[0] - margin, b[1] - margin, b[2] + margin, b[3] + margin];
  }

  function resize() {
    var ratio = window.devicePixelRatio || 1, width = canvas.clientWidth || 300;
    var wide = box[2] - box[0], high = box[3] - box[1];
    var height = Math.min(width * high / wide, Math.max(280, 0.75 * window.innerHeight));
    canvas.style.height = height + "px";
    canvas.width = Math.round(width * ratio); canvas.height = Math.round(height * ratio);
    var scale = Math.min(canvas.width / wide, canvas.height / high);
    view = { scale: scale, left: (canvas.width - wide * scale) / 2, top: (canvas.height - high * scale) / 2, ratio: ratio };
    grown = document.createElement("canvas");
    grown.width = canvas.width; grown.height = canvas.height; drawn = 0;
    draw();
  }

  function px(x) { return view.left + (x - box[0]) * view.scale; }
  function py(y) { return view.top + (box[3] - y) * view.scale; }

  // What has been seen up to a frame: triangles between the robot and neighbouring hits are free, hits are walls.
  function grow(to) {
    var pen = grown.getContext("2d");
    if (to + 1 < drawn) { pen.clearRect(0, 0, grown.width, grown.height); drawn = 0; }
    var dot = Math.max(1.2, 2.5 * view.scale), near = 60;
    for (; drawn <= to; drawn++) {
      var h = run.hits[drawn], r = run.robots[drawn], i;
      pen.fillStyle = "#fff";
      pen.beginPath();
      for (i = 2; i < h.length; i += 2) {
        if (Math.abs(h[i] - h[i - 2]) + Math.abs(h[i + 1] - h[i - 1]) > near) continue;
        pen.moveTo(px(r[0]), py(r[1])); pen.lineTo(px(h[i - 2]), py(h[i - 1])); pen.lineTo(px(h[i]), py(h[i + 1]));
      }
      pen.fill();
      for (var k = Math.max(0, drawn - 12); k <= drawn; k++) {
        var walls = run.hits[k];
        pen.fillStyle = "#222";
        for (i = 0; i < walls.length; i += 2) pen.fillRect(px(walls[i]) - dot / 2, py(walls[i + 1]) - dot / 2, dot, dot);
      }
    }
    canvas.getContext("2d").drawImage(grown, 0, 0);
  }

  function drawMap(pen, sheet) {
    var m = run.map;
    pen.save();
    pen.imageSmoothingEnabled = false;
    pen.translate(px(m.x), py(m.y));
    pen.rotate(-m.turn);
    pen.drawImage(sheet, 0, -m.height * view.scale, m.width * view.scale, m.height * view.scale);
    pen.restore();
  }

  // The cells of the map that were known by a frame. The grey value of a cell in the image of times, of 254, is the part of
  // the run after which it was known; where the image is not yet loaded nothing is.
  function drawKnown(pen) {
    var size = [image.naturalWidth, image.naturalHeight];
    if (!known.cells) {
      known.cells = pixels(image, size); known.times = pixels(known.image, size);
      known.shown = document.createElement("canvas");
      known.shown.width = size[0]; known.shown.height = size[1];
    }
    var part = (run.time_s[at] - run.time_s[0]) / Math.max(run.time_s[last] - run.time_s[0], 1e-9) * 254 + 1e-6;
    var shown = new ImageData(new Uint8ClampedArray(known.cells.data), size[0], size[1]);
    for (var i = 0; i < shown.data.length; i += 4) if (known.times.data[i] > part) shown.data[i + 3] = 0;
    known.shown.getContext("2d").putImageData(shown, 0, 0);
    drawMap(pen, known.shown);
  }

  function pixels(from, size) {
    var sheet = document.createElement("canvas"), pen = sheet.getContext("2d");
    sheet.width = size[0]; sheet.height = size[1];
    pen.drawImage(from, 0, 0);
    return pen.getImageData(0, 0, size[0], size[1]);
  }

  function drawPaths(pen) {
    pen.lineJoin = "round";
    for (var robot = 0; robot * 3 < run.robots[0].length; robot++) {
      pen.strokeStyle = PATHS[robot % PATHS.length]; pen.lineWidth = 2 * view.ratio;
      pen.beginPath();
      for (var k = 0; k <= at; k++) pen.lineTo(px(run.robots[k][3 * robot]), py(run.robots[k][3 * robot + 1]));
      pen.stroke();
      circle(pen, run.robots[0][3 * robot], run.robots[0][3 * robot + 1], 5 * view.ratio, "#009e73");
    }
  }

  function circle(pen, x, y, radius, colour) {
    pen.fillStyle = colour; pen.strokeStyle = "#fff"; pen.lineWidth = view.ratio;
    pen.beginPath(); pen.arc(px(x), py(y), radius, 0, 7); pen.fill(); pen.stroke();
  }

  function drawRobots(pen) {
    var r = run.robots[at], size = 9 * view.ratio;
    for (var i = 0; i + 2 < r.length; i += 3) {
      pen.save();
      pen.translate(px(r[i]), py(r[i + 1])); pen.rotate(-r[i + 2] / 1000);
      pen.fillStyle = "#d55e00"; pen.strokeStyle = "#fff"; pen.lineWidth = view.ratio;
      pen.beginPath(); pen.moveTo(size, 0); pen.lineTo(-0.7 * size, 0.65 * size); pen.lineTo(-0.7 * size, -0.65 * size);
      pen.closePath(); pen.fill(); pen.stroke(); pen.restore();
    }
  }

  function drawScale(pen) {
    var steps = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000], length = steps[0];
    steps.forEach(function (step) { if (step * view.scale < canvas.width / 4) length = step; });
    var x = 12 * view.ratio, y = canvas.height - 14 * view.ratio, text = length < 100 ? length + " cm" : length / 100 + " m";
    pen.font = 13 * view.ratio + "px system-ui, sans-serif";
    var wide = Math.max(length * view.scale, pen.measureText(text).width);
    pen.fillStyle = "rgba(255,255,255,0.85)";
    pen.fillRect(x - 6 * view.ratio, y - 22 * view.ratio, wide + 12 * view.ratio, 30 * view.ratio);
    pen.fillStyle = "#111";
    pen.fillRect(x, y, length * view.scale, 3 * view.ratio);
    pen.fillText(text, x, y - 6 * view.ratio);
  }

  function draw() {
    var pen = canvas.getContext("2d");
    pen.fillStyle = "#d9d9d9"; pen.fillRect(0, 0, canvas.width, canvas.height);
    var showsMap = image && (whole.checked || !hasScans && !run.known);
    if (showsMap) drawMap(pen, image); else if (known && image) drawKnown(pen); else if (hasScans) grow(at);
    if (at === last || showsMap) {
      pen.strokeStyle = "#cc79a7"; pen.lineWidth = 1.5 * view.ratio;
      run.closures.forEach(function (c) {
        pen.beginPath(); pen.moveTo(px(c[0]), py(c[1])); pen.lineTo(px(c[2]), py(c[3])); pen.stroke();
      });
    }
    drawPaths(pen);
    var h = run.hits[at], dot = 3 * view.ratio;
    pen.fillStyle = "#d55e00";
    for (var i = 0; i < h.length; i += 2) pen.fillRect(px(h[i]) - dot / 2, py(h[i + 1]) - dot / 2, dot, dot);
    drawRobots(pen);
    drawScale(pen);
    slider.value = at;
    clock.textContent = (run.time_s[at] - run.time_s[0]).toFixed(1) + " of " + (run.time_s[last] - run.time_s[0]).toFixed(1) + " s";
  }

  var before = null, moment = 0;
  function tick(now) {
    if (!playing) return;
    if (before !== null) moment += (now - before) / 1000 * Number(speed.value);
    before = now;
    var next = at;
    while (next < last && run.time_s[next + 1] - run.time_s[0] <= moment) next++;
    if (next !== at) { at = next; draw(); }
    if (at === last) stop(); else window.requestAnimationFrame(tick);
  }
  function stop() { playing = false; play.textContent = "Play"; }
  function start() {
    if (at === last) at = 0;
    moment = run.time_s[at] - run.time_s[0]; before = null;
    playing = true; play.textContent = "Pause";
    window.requestAnimationFrame(tick);
  }
  play.addEventListener("click", function () { if (playing) stop(); else start(); });
  slider.addEventListener("input", function () { stop(); at = Number(slider.value); draw(); });
  whole.addEventListener("change", draw);
  window.addEventListener("resize", resize);

  // A link such as index.html#t=30 opens the run at that second.
  var asked = /^#t=([0-9.]+)$/.exec(window.location.hash);
  if (asked) {
    at = 0;
    while (at < last && run.time_s[at + 1] - run.time_s[0] <= Number(asked[1])) at++;
  }

  slider.max = last;
  var grows = hasScans || Boolean(run.known);
  if (!run.map || !grows) document.getElementById("whole-label").hidden = true;
  whole.checked = Boolean(run.map) && grows && !asked;
  resize();
  if (run.map) {
    var loading = new Image();
    loading.onload = function () { image = loading; draw(); };
    loading.src = run.map.png;
  }
  if (run.map && run.known) {
    var times = new Image();
    times.onload = function () { known = { image: times }; draw(); };
    times.src = run.known;
  }
  play.addEventListener("click", function () { if (playing) { whole.checked = false; draw(); } });
  slider.addEventListener("input", function () { whole.checked = false; draw(); });
}());
