import type { DocumentFlaw } from '../document'

/** Thrown for a document that can't be read, with the reason for the user. */
export class FlawedDocument extends Error {
  readonly flaw: DocumentFlaw
  constructor(flaw: DocumentFlaw) {
    super(flaw)
    this.flaw = flaw
  }
}
