/** What may be asked: numbers are finite and of moderate size, and unknown fields are refused. */

import { Refusal } from "./refusal.js";

export const ALGORITHMS = ["last", "averaged", "voted", "pocket", "margin", "aggressive", "kernel"];
/** What one answer holds at most; a run of these can be saved as a replay. */
export const FARTHEST = 1e9; // a coordinate
export const LIMITS = { points: 2000, updates: 5000, examples: 500_000 };

function demand(holds, path, message) {
  if (!holds) throw new Refusal(`${path}: ${message}.`, path);
}

function number(least, most) {
  return (value, path) => {
    demand(typeof value === "number", path, "Input should be a valid number");
    demand(Number.isFinite(value), path, "Input should be a finite number");
    demand(value >= least, path, `Input should be greater than or equal to ${least}`);
    demand(value <= most, path, `Input should be less than or equal to ${most}`);
    return value;
  };
}

function integer(least, most) {
  const inRange = number(least, most);
  return (value, path) => {
    demand(Number.isInteger(value), path, "Input should be a valid integer");
    return inRange(value, path);
  };
}

function oneOf(...choices) {
  const named = choices.map((choice) => (typeof choice === "string" ? `'${choice}'` : choice));
  const listed = [named.slice(0, -1).join(", "), named.at(-1)].join(" or ");
  return (value, path) => {
    demand(choices.includes(value), path, `Input should be ${listed}`);
    return value;
  };
}

function yesOrNo(value, path) {
  demand(typeof value === "boolean", path, "Input should be a valid boolean");
  return value;
}

function text(most) {
  return (value, path) => {
    demand(typeof value === "string", path, "Input should be a valid string");
    demand(value.length <= most, path, `String should have at most ${most} characters`);
    return value;
  };
}

function list(item, most) {
  return (value, path) => {
    demand(Array.isArray(value), path, "Input should be a valid list");
    const size = `List should have at most ${most} items after validation, not ${value.length}`;
    demand(value.length <= most, path, size);
    return value.map((entry, i) => item(entry, `${path}[${i}]`));
  };
}

function tuple(...items) {
  return (value, path) => {
    const right = Array.isArray(value) && value.length === items.length;
    demand(right, path, "Input should be a valid tuple");
    return items.map((item, i) => item(value[i], `${path}[${i}]`));
  };
}

const orNull = (kind) => (value, path) => (value === null ? null : kind(value, path));

/** A field that may be left out. */
const optional = (kind, value) => Object.assign((given, path) => kind(given, path), { value });

/** An object of these fields, those that were left out filled in. */
function record(fields) {
  return (value, path) => {
    const object = value !== null && typeof value === "object" && !Array.isArray(value);
    demand(object, path || "The request", "Input should be a valid dictionary");
    const at = (name) => (path ? `${path}.${name}` : name);
    for (const name of Object.keys(value)) {
      demand(Object.hasOwn(fields, name), at(name), "Extra inputs are not permitted");
    }
    const filled = {};
    for (const [name, kind] of Object.entries(fields)) {
      if (value[name] !== undefined) filled[name] = kind(value[name], at(name));
      else if ("value" in kind) filled[name] = kind.value;
      else demand(false, at(name), "Field required");
    }
    return filled;
  };
}

const coordinate = number(-FARTHEST, FARTHEST);
const edge = number(-1e10, 1e10); // a window with points at the limit in it reaches beyond them
const name = text(200);
const axes = orNull(tuple(name, name));

const asPoint = record({ x: coordinate, y: coordinate, label: oneOf(-1, 1) });
const asKernel = record({
  name: optional(oneOf("rbf", "poly", "linear"), "rbf"),
  degree: optional(integer(1, 10), 3),
  gamma: optional(number(1e-6, 1e6), 1),
  coef0: optional(number(0, 1e6), 1),
});
const asSettings = record({
  algorithm: optional(oneOf(...ALGORITHMS), "last"),
  offset: optional(yesOrNo, true),
  ties: optional(oneOf("mistake", "sign", "correct"), "mistake"),
  order: optional(oneOf("cyclic", "shuffled", "random"), "cyclic"),
  eta: optional(number(1e-6, 1e6), 1),
  epochs: optional(integer(1, 10_000), 100),
  start: optional(orNull(tuple(coordinate, coordinate, coordinate)), null),
  margin: optional(number(0, 1e9), 1),
  C: optional(number(1e-6, 1e6), 1),
  kernel: optional(asKernel, asKernel({}, "kernel")),
  seed: optional(integer(0, 2 ** 32 - 1), 0),
});
/** The settings that are used where none are given, with some of them chosen. */
export const settingsWith = (chosen) => asSettings(chosen, "settings");

const task = {
  // No negative zeros: they would print as such.
  points: list((value, path) => {
    const { x, y, label } = asPoint(value, path);
    return { x: x + 0, y: y + 0, label };
  }, LIMITS.points),
  settings: optional(asSettings, settingsWith({})),
};
const KINDS = {
  run: record({ ...task, axes: optional(axes, null), known: optional(yesOrNo, true) }),
  known: record(task),
  field: record({
    ...task,
    step: optional(orNull(integer(0, LIMITS.updates)), null),
    window: record({ left: edge, right: edge, bottom: edge, top: edge }),
    size: optional(integer(2, 256), 128),
    what: optional(orNull(oneOf("votes", "score")), null),
  }),
  check: record({ ...task, table: text(800_000) }),
  export: record({
    ...task,
    kind: oneOf("markdown", "trace", "python"),
    axes: optional(axes, null),
  }),
  challenge: record({ ...task, name: oneOf("undershoot", "offset") }),
};

/** A question of that kind, complete; a Refusal says what is wrong with it. */
export function checked(kind, question) {
  return KINDS[kind](question, "");
}
