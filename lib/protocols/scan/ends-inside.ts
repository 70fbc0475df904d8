/** What the markup of a call ends with: a closing tag, a fence, an end marker. */
const CLOSED = /(?:<\/[\w\s]{1,40}>|```|~~~|\]>{2,4})\s*$/
/** The same, or the brackets that close a call in JSON. */
const COMPLETE = /(?:<\/[\w\s]{1,40}>|```|~~~|\]>{2,4}|[}\]]\s*[}\]])\s*$/

interface Range {
  readonly start: number
  readonly end: number
}

/** Whether the markup that a broken call stands in was closed. */
export const isClosed = (text: string, { start, end }: Range): boolean =>
  CLOSED.test(text.slice(Math.max(start, end - 80), end))

/** Whether a call that ends the reply has the brackets, or the fence, that end a call in JSON. */
export const hasJsonEnd = (text: string, { start, end }: Range): boolean =>
  text.slice(end).trim() === '' && /(?:```|~~~|[}\]]\s*[}\]])\s*$/.test(text.slice(Math.max(start, end - 80), end))

/** Whether the reply ends inside a broken call, so that the call was cut off. */
export const endsInside = (text: string, { start, end }: Range): boolean =>
  text.slice(end).trim() === '' && !COMPLETE.test(text.slice(Math.max(start, end - 80), end))
