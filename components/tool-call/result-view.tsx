import { CodeBlock } from '@/components/ui/code-block'
import { DisplayView } from '@/components/ui/display-view'
import { JsonTree } from '@/components/ui/json-tree'
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import type { CallOutcome } from '@/lib/chat/conversation'

/** Longer texts, and texts of several lines, are read as text rather than as a string in a tree. */
const LONG_TEXT = 120

/** A result as people read it: displays first, JSON as a tree, long texts as text. */
export function ResultView({ outcome }: { outcome: CallOutcome }) {
  return (
    <>
      {outcome.displays.map((display, index) => (
        <DisplayView key={index} kind={display.kind} data={display.data} number={index + 1} />
      ))}
      <ValueView value={outcome.result} />
    </>
  )
}

function ValueView({ value }: { value: JsonValue }) {
  if (typeof value === 'string') return <CodeBlock label="Result" text={value} numbered={false} />
  if (!isJsonObject(value)) return <JsonTree label="Result" value={value} />
  // Code gives its value beside what it printed and showed, which stand in their own places.
  if (
    'value' in value &&
    Object.keys(value).every((key) => key === 'value' || key === 'console' || key === 'displayed')
  ) {
    return <ValueView value={value.value ?? null} />
  }
  const [texts, rest] = splitTexts(value)
  return (
    <>
      {Object.keys(rest).length > 0 || texts.length === 0 ? <JsonTree label="Result" value={rest} /> : null}
      {texts.map(([name, text]) => (
        <CodeBlock key={name} label={`Result: ${name}`} text={text} numbered={false} />
      ))}
    </>
  )
}

function splitTexts(value: JsonObject): readonly [readonly (readonly [string, string])[], JsonObject] {
  const texts: (readonly [string, string])[] = []
  const rest: [string, JsonValue][] = []
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'string' && (member.length > LONG_TEXT || member.trimEnd().includes('\n'))) {
      texts.push([name, member])
    } else rest.push([name, member])
  }
  return [texts, Object.fromEntries(rest)]
}

/** The result as text for the clipboard. */
export const resultText = (outcome: CallOutcome): string =>
  typeof outcome.result === 'string' ? outcome.result : JSON.stringify(outcome.result, null, 2)

/** Bytes of the result as it is stored. */
export const resultBytes = (outcome: CallOutcome): number => {
  const text = typeof outcome.result === 'string' ? outcome.result : JSON.stringify(outcome.result)
  return new TextEncoder().encode(text).byteLength
}

/** The sentence of a failure: tools put it into `error`. */
export function failureSentence(outcome: CallOutcome): string {
  const { result } = outcome
  if (typeof result === 'string') return result
  if (isJsonObject(result) && typeof result.error === 'string') return result.error
  return 'It failed without saying why.'
}
