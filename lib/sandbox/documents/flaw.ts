import type { DocumentFlaw } from '../document'

/** A document that can't be read, with the reason that the user sees. */
export class FlawedDocument extends Error {
  readonly flaw: DocumentFlaw
  constructor(flaw: DocumentFlaw) {
    super(flaw)
    this.flaw = flaw
  }
}
