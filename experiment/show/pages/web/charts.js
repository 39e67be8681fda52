"use strict";
// Draws charts as SVG: curves, and points with intervals, over training games. Requires board.js.
const charts = (() => {
  const LEFT = 46, RIGHT = 14, TOP = 22, BOTTOM = 40;
  const DASHES = 3;

  const { element } = drawing;
  const shade = (line) => line.look[0];
  const percent = (value) => `${Math.round(100 * value)}\u00a0%`;
  const games = (value) => Math.round(value).toLocaleString("en");

  function number(value) {
    const size = Math.abs(value);
    if (size >= 1000) return games(value);
    return String(Number(value.toPrecision(3)));
  }

  // Return at most `most` + 1 round numbers between two numbers.
  function ticks(low, high, most) {
    const rough = (high - low) / most;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 2.5, 5, 10].map((part) => part * power).find((size) => size >= rough * 0.999);
    const numbers = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-6; i++) numbers.push(i * step + 0);
    return numbers;
  }

  function range(chart) {
    const values = chart.series.flatMap((line) => [...line.y, ...line.low, ...line.high]);
    let low = chart.low ?? Math.min(...values);
    let high = chart.high ?? Math.max(...values);
    if (!(high > low)) [low, high] = [Math.min(low, 0), Math.max(high, low + 1)];
    return [low, high + (chart.high === null ? 0.05 * (high - low) : 0)];
  }

  function scales(chart, end, width, height) {
    const [low, high] = range(chart);
    return {
      low, high,
      x: (value) => LEFT + (value / Math.max(1, end)) * (width - LEFT - RIGHT),
      y: (value) => TOP + ((high - value) / (high - low)) * (height - TOP - BOTTOM),
    };
  }

  function drawAxes(picture, chart, end, width, height, to) {
    const text = chart.percent ? percent : number;
    for (const value of ticks(to.low, to.high, height > 200 ? 5 : 3)) {
      const y = to.y(value);
      picture.append(element("line", { x1: LEFT, x2: width - RIGHT, y1: y, y2: y, class: "axis" }));
      picture.append(element("text", { x: LEFT - 6, y: y + 4, "text-anchor": "end" }, text(value)));
    }
    for (const value of ticks(0, Math.max(1, end), width > 500 ? 6 : 3)) {
      const at = { x: to.x(value), y: height - BOTTOM + 17, "text-anchor": "middle" };
      picture.append(element("text", at, games(value)));
    }
    picture.append(element("text", { x: 0, y: 12 }, chart.y));
    const below = { x: width - RIGHT, y: height - 6, "text-anchor": "end" };
    picture.append(element("text", below, "training games"));
  }

  function drawLine(picture, line, place, to) {
    const points = line.x.map((x, i) => `${to.x(x).toFixed(1)},${to.y(line.y[i]).toFixed(1)}`);
    const dashes = line.low.length ? 0 : place % DASHES;
    const look = `line ${shade(line)} dashes-${dashes}`;
    picture.append(element("polyline", { points: points.join(" "), class: look }));
    if (line.low.length || points.length === 1) drawPoints(picture, line, to);
  }

  function drawPoints(picture, line, to) {
    line.x.forEach((x, i) => {
      const at = to.x(x);
      if (line.low.length) {
        const bar = { x1: at, x2: at, y1: to.y(line.low[i]), y2: to.y(line.high[i]), class: `bar ${shade(line)}` };
        picture.append(element("line", bar));
      }
      picture.append(element("circle", { cx: at, cy: to.y(line.y[i]), r: 4, class: `point ${shade(line)}` }));
    });
  }

  function swatch(line, place) {
    const picture = element("svg", { viewBox: "0 0 32 14", "aria-hidden": "true" });
    const dashes = line.low.length ? 0 : place % DASHES;
    picture.append(element("line", { x1: 0, x2: 32, y1: 7, y2: 7, class: `line ${shade(line)} dashes-${dashes}` }));
    if (line.low.length) picture.append(element("circle", { cx: 16, cy: 7, r: 4, class: `point ${shade(line)}` }));
    return picture;
  }

  // Return the name and the last value of a curve, for the legend and for screen readers.
  function newest(chart, line) {
    const last = line.y.length - 1;
    const text = chart.percent ? percent : number;
    const interval = line.low.length ? ` (${text(line.low[last])} to ${text(line.high[last])})` : "";
    return `${line.label || chart.title}: ${text(line.y[last])}${interval}`;
  }

  function legend(chart) {
    const list = document.createElement("ul");
    list.className = "legend";
    chart.series.forEach((line, place) => {
      const item = document.createElement("li");
      item.append(swatch(line, place), newest(chart, line));
      list.append(item);
    });
    return list;
  }

  // Draw a chart over `end` training games, with the width of the element `holder`.
  function draw(holder, chart, end, height) {
    holder.classList.add("chart");
    const width = Math.max(240, holder.clientWidth);
    const text = chart.series.map((line) => newest(chart, line)).join("; ");
    const picture = element("svg", {
      viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${chart.title} over ${games(end)} games. ${text}`,
    });
    const to = scales(chart, end, width, height);
    drawAxes(picture, chart, end, width, height, to);
    chart.series.forEach((line, place) => drawLine(picture, line, place, to));
    holder.replaceChildren(picture, legend(chart));
  }

  return { draw, percent, games };
})();
