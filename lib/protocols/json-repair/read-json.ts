import type { Source } from '../text/source'
import { JsonReader } from './json-reader'
import type { JsonReading, ReadJsonOptions } from './json-reading'

/**
 * Reads one JSON value, repairs its syntax and names each repair. In the first pass every string ends at its first
 * unescaped quote. Only if that fails, a second pass guesses which quotes inside strings end them, by what follows and
 * with the tool's known keys as anchors. A value that is cut off by the end of the text fails as `truncated` and is
 * never completed.
 */
export function readJson(source: Source, start: number, options: ReadJsonOptions = {}): JsonReading {
  const plain = new JsonReader(source, options, false).run(start)
  if (!plain.failure || !source.decided || options.guess === false || plain.failure.reason === 'too-deep') return plain
  const guessed = new JsonReader(source, options, true).run(start)
  if (!guessed.failure) return { ...guessed, sure: plain.failure.resume }
  if (plain.failure.reason !== 'bad-json' || !plain.failure.afterString) return plain
  // A guessed string may cross the beginning of a code span: resume where both readings have passed.
  const resume = Math.min(plain.failure.resume, guessed.failure.resume)
  return { ...guessed, failure: { ...guessed.failure, resume } }
}
