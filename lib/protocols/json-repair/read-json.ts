import type { Source } from '../text/source'
import { JsonReader } from './json-reader'
import type { JsonReading, ReadJsonOptions } from './json-reading'

/**
 * Reads one JSON value, mending syntax and naming each repair. Two passes: first every string ends at its first
 * unescaped quote; only if that fails, quotes inside strings are told apart by what follows them, with the tool's known
 * keys as anchors. A value that the text's end cuts off is a failure `truncated`, never completed.
 */
export function readJson(source: Source, start: number, options: ReadJsonOptions = {}): JsonReading {
  const plain = new JsonReader(source, options, false).run(start)
  if (!plain.failure || !source.decided || options.guess === false || plain.failure.reason === 'too-deep') return plain
  const guessed = new JsonReader(source, options, true).run(start)
  if (!guessed.failure) return { ...guessed, sure: plain.failure.resume }
  if (plain.failure.reason !== 'bad-json' || !plain.failure.afterString) return plain
  // A guessed string may run over the beginning of a span of code: nothing is passed by that one of the readings did not pass.
  const resume = Math.min(plain.failure.resume, guessed.failure.resume)
  return { ...guessed, failure: { ...guessed.failure, resume } }
}
