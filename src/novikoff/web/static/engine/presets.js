/** Points to begin with, and the challenges. */

import { LIMITS, settingsWith } from "./questions.js";

/** Points written as `x y +`, separated by commas, in visiting order. */
function pointsOf(text) {
  return text.split(",").map((part) => {
    const [x, y, sign] = part.trim().split(" ");
    return { x: Number(x), y: Number(y), label: sign === "+" ? 1 : -1 };
  });
}

function preset(name, title, about, points, settings = {}) {
  return { name, title, about, points: pointsOf(points), settings: settingsWith(settings) };
}

const PRESETS = [
  preset(
    "default",
    "Twelve points",
    "Ten mistakes, one of which undershoots and one of which is an exact tie.",
    "1 -2 +, 3 0 +, -4 0 -, 2 -3 +, -2 0 -, 1 -3 +, 1 2 -, 4 4 -, 1 3 -, 2 -2 +, -5 -3 -, 5 1 +",
  ),
  preset(
    "separable",
    "Separable",
    "Two clouds with a wide street between them: few mistakes are possible.",
    "1.5 3 +, -2 1.5 -, 3 2.5 +, 1 -2 -, 4 1 +, -3 -1 -, 2.5 4.5 +, -1 -0.5 -, 3.5 4 +, " +
      "-0.5 -3.5 -, 4.5 2 +, -2.5 -3 -",
  ),
  preset(
    "barely",
    "Barely separable",
    "A narrow street: the smaller the margin, the more mistakes the theorem allows.",
    "1 1.4 +, 2 2.3 +, 3 3.5 +, -1 -0.7 +, -2 -1.6 +, 0 0.4 +, 1 0.7 -, 2 1.6 -, 3 2.8 -, " +
      "-1 -1.4 -, -2 -2.3 -, 0 -0.4 -",
  ),
  preset(
    "offset",
    "Only with an offset",
    "Separable, but not by a line through the origin: switch the offset on.",
    "1 1 -, 2 1 -, 1 2 -, 0.5 0.5 -, 3 3 +, 4 3 +, 3 4 +, 4.5 4.5 +",
    { offset: false, epochs: 20 },
  ),
  preset(
    "xor",
    "XOR",
    "No line separates the corners of a square crosswise; a kernel does.",
    "2 2 -, -2 -2 -, 2 -2 +, -2 2 +",
    { epochs: 10 },
  ),
  preset(
    "touching",
    "Touching",
    "The classes touch: a line has no point on its wrong side, but some on itself.",
    "0 0 +, 2 0 -, 1 0 -, -1 0 +, 1 2 +, -2 3 +, 3 -1 -, 2 -3 -, 1 0 +",
    { epochs: 20 },
  ),
  preset(
    "outlier",
    "One outlier",
    "One point among the others' class: the last hypothesis never rests, the mean does.",
    "2 1 +, 3 2.5 +, 1.5 3 +, 4 1 +, 3.5 4 +, -2 -1 -, -3 -2 -, -1.5 -3 -, -4 -0.5 -, -3 -4 -, " +
      "-3 -3 +",
    { algorithm: "averaged", epochs: 20 },
  ),
  preset(
    "bound",
    "Near the bound",
    "Three points that cost 55 mistakes; the theorem allows 109.",
    "5 0 -, 3 4 -, 5 -1 +",
  ),
];

const CHALLENGES = [
  {
    name: "undershoot",
    title: "Make an update undershoot",
    task:
      "Place points so that an update is not enough: the example that caused it is still " +
      "misclassified right after it.",
  },
  {
    name: "offset",
    title: "Separable, but not through the origin",
    task: "Place points that a line separates, although no line through the origin does.",
  },
];

/** What the page offers. */
export function presetsAnswer() {
  return { presets: PRESETS, challenges: CHALLENGES, limits: LIMITS };
}
