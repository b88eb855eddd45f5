/** What the engine says instead of an answer. */

/** Something that cannot be done; the message is for people, `field` names what was wrong. */
export class Refusal extends Error {
  constructor(message, field = null) {
    super(message);
    this.name = "Refusal";
    this.field = field;
  }
}
