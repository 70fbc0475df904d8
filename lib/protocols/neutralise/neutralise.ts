import type { Delimiter } from '../types/strategy-facts'
import { literalPattern } from '@/lib/base/text/characters'
import type { FramedResults, ResultToWrite } from '../types/tool-context-def'

/** Names of reasoning tags, with any prefix. */
const THOUGHT = '[\\w.:-]{0,40}(?:think|thinking|thoughts?|reasoning|scratchpad|analysis)'
/** Inside JSON, a line begins at the start of the string, or after an escaped line break. */
const LINE_START = '(?<=\\\\n[ \\t]{0,3}|")'

/**
 * Marks that belong to none of our strategies: dialects that models know, reasoning, code fences, turns and prompts.
 * Each matches the one character that is escaped. The strategies' own marks are in their folders.
 */
const dialectMarks: readonly RegExp[] = [
  '<(?=[\\s/\\\\!]*(?:[\\w.-]{1,32}:)?(?:tool|function|invoke|param|think|reason|antml|action|result|name|arg|cdata|\\[cdata))',
  `<(?=[\\s/\\\\]*${THOUGHT}\\b)`,
  `\\[(?=[\\s/\\\\]*${THOUGHT}\\s*\\])`,
  '◁',
  '<(?=/s>|/?eos>|seed:|escape>|turn\\||(?:start|end)_(?:of_turn|function_call)>|(?:channel|tool_call)\\|>)',
  '\\[(?=e~\\[|unused1[67]\\])',
  '\\](?=<\\]minimax|~b\\])',
  `${LINE_START}[HU](?=(?:uman|ser)\\s?[:：])`,
  `${LINE_START}用(?=户\\s?[:：])`,
  `${LINE_START}a(?=ction:\\s)`,
  `${LINE_START}c(?=all:[\\w.-]{1,64}\\{)`,
  't(?=o=functions\\.)',
  '<(?=[|｜‖])',
  '\\[(?=/?TOOL_|/?INST|ARGS|CALL_ID)',
  '`(?=``)',
  '~(?=~~)',
  '(?<!\\\\)\\bo(?=bservation\\s*[:：])',
  '\\{(?=\\{\\s*tools?\\s*\\}|\\{\\s*tool_context)',
].map((source) => new RegExp(source))

/** Neutralises untrusted text: the result contains no delimiter of any strategy or dialect. */
export interface Neutraliser {
  /**
   * JSON text in which the first character of each mark is written as `\uXXXX`. Marks occur only inside JSON strings,
   * so
   * `JSON.parse` returns the same value, and a model that copies a value writes what was meant.
   */
  json(json: string): string
  /** A name or an id as an XML attribute value. */
  attribute(text: string): string
}

/** `marks` are those of the strategies; the marks of known dialects are built in. */
export function createNeutraliser(marks: readonly Delimiter[]): Neutraliser {
  const all = [...dialectMarks, ...marks]
  const inJson = anyOf(all.flatMap((mark) => (typeof mark === 'string' ? literalInJson(mark) : [mark.source])))
  const inText = anyOf([
    '[&<>"\'`~[{\\n\\r]',
    ...all.flatMap((mark) => (typeof mark === 'string' ? literal(mark) : [mark.source])),
  ])
  return {
    json: (json) => json.replaceAll(inJson, escapeUnit),
    attribute: (text) =>
      text.replaceAll(inText, (char) =>
        char === '&' ? '&amp;' : char === '"' ? '&quot;' : `&#${char.charCodeAt(0)};`,
      ),
  }
}

const anyOf = (sources: readonly string[]): RegExp => new RegExp(sources.join('|'), 'gi')

const escapeUnit = (mark: string): string => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Matches the first unit of a literal, if the rest follows. */
const literal = (mark: string): readonly string[] =>
  mark === ''
    ? []
    : [`${literalPattern(mark.charAt(0))}${mark.length > 1 ? `(?=${literalPattern(mark.slice(1))})` : ''}`]

/** The same inside JSON: characters that JSON already escapes must not be escaped again. */
function literalInJson(mark: string): readonly string[] {
  const [, before = '', first = '', rest = ''] =
    /^((?:\\u[\da-f]{4}|\\[^u])*)([^]?)([^]*)$/.exec(JSON.stringify(mark).slice(1, -1)) ?? []
  if (first === '') return []
  return [
    `${before === '' ? '' : `(?<=${literalPattern(before)})`}${literalPattern(first)}${rest === '' ? '' : `(?=${literalPattern(rest)})`}`,
  ]
}

/**
 * Results as one element each, with their content as JSON: `<tool_result id="…" name="…" status="…" boundary="…">`. The
 * boundary is random, so that a file can't contain a frame that looks like ours.
 */
export function elementFrames(
  tag: string,
  results: readonly ResultToWrite[],
  boundary: string,
  neutralise: Neutraliser,
): FramedResults {
  const blocks = results.map(({ id, name, status, result }) => {
    const attributes = `id="${neutralise.attribute(id)}" name="${neutralise.attribute(name)}" status="${status}" boundary="${boundary}"`
    return `<${tag} ${attributes}>\n${neutralise.json(JSON.stringify(result))}\n</${tag}>`
  })
  return { text: blocks.join('\n') }
}

/**
 * Results as objects under a key, one per line. The boundary is random, so that a file can't contain a frame that looks
 * like ours.
 */
export const objectFrames = (
  key: string,
  results: readonly ResultToWrite[],
  boundary: string,
  neutralise: Neutraliser,
): FramedResults => ({
  text: results
    .map(({ id, name, status, result }) => {
      const body = neutralise.json(JSON.stringify({ toolCallId: id, name, status, result }))
      return `{"${key}":${body},"boundary":${JSON.stringify(boundary)}}`
    })
    .join('\n'),
})
