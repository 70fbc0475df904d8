import type { JsonObject, JsonValue } from '@/lib/base/json'
import { alternativesOf, propertiesOf, resolveSchema } from '../arguments/schema'
import { estimateTokens } from './token-estimate'
import type { ToolSpec } from '../types/tool-context-def'

/** The budget for the tools of a prompt, in estimated tokens, before their longest texts are shortened. */
export const TOOL_TOKENS = 1_500

/** One tool, with its description and those of its parameters, each on one line. */
export interface ToolText {
  readonly tool: ToolSpec
  readonly description: string
  /** Only parameters whose description adds to their name; members of objects as `edits[].search`. */
  readonly parameters: readonly { readonly path: string; readonly text: string }[]
}

export interface ToolTexts {
  readonly text: string
  /** Names of the tools that are not described in full. */
  readonly shortened: readonly string[]
}

/**
 * Maximum lengths of a text in characters, tried in this order until the tools fit: the longest are shortened first.
 */
const CAPS = [1_600, 1_200, 900, 700, 550, 430, 340, 270, 210, 160] as const
/** A parameter's description is never cut below this length, a tool's never below the last of `CAPS`. */
const SHORTEST = 60

/**
 * The tools as `write` formats them: in full while they cost at most `budget` tokens. Otherwise the longest texts are
 * cut at the end of a sentence until the tools fit, or until nothing more may be cut.
 */
export function describeTools(
  tools: readonly ToolSpec[],
  write: (texts: readonly ToolText[]) => string,
  budget = TOOL_TOKENS,
): ToolTexts {
  const whole = tools.map(completeText)
  let told = whole
  let text = write(told)
  for (const cap of CAPS) {
    if (estimateTokens(text) <= budget) break
    told = whole.map((one) => shortened(one, cap))
    text = write(told)
  }
  const isShorter = (_: ToolText, at: number) => told[at] !== whole[at]
  return { text, shortened: whole.filter(isShorter).map(({ tool }) => tool.name) }
}

const completeText = (tool: ToolSpec): ToolText => ({
  tool,
  description: onOneLine(tool.description),
  parameters: describedParameters(tool),
})

function shortened(text: ToolText, cap: number): ToolText {
  const description = cutAtSentence(text.description, Math.max(cap, text.tool.uncut ?? 0))
  const parameters = text.parameters.map(({ path, text: line }) => ({
    path,
    // A parameter gets less space than its tool.
    text: cutAtSentence(line, Math.max(SHORTEST, Math.floor(cap / 3))),
  }))
  const isSame =
    description === text.description && parameters.every((one, at) => one.text === text.parameters[at]?.text)
  return isSame ? text : { ...text, description, parameters }
}

/**
 * Puts the text on one line, so that an untrusted description can't begin a line that looks like ours: wrapped lines
 * are joined, paragraphs and list items become sentences. Typographic quotation marks become straight ones, which cost
 * less.
 */
export function onOneLine(text: string): string {
  const blocks = text
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .split(/\s*\n(?:[ \t]*\n)+\s*|\s*\n(?=[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t])/u)
    .map((block) => block.replaceAll(/\s+/g, ' ').trim())
    .filter((block) => block !== '')
  return blocks
    .map((block, at) => (at < blocks.length - 1 && /[\p{L}\p{N})\]"'`]$/u.test(block) ? `${block}.` : block))
    .join(' ')
}

/** Abbreviations end no sentence, nor does a point inside a name or number, which is not followed by a blank. */
const SENTENCE_END = /(?<!\b(?:e\.g|i\.e|etc|vs|cf|no|approx))[.!?](?=\s)|[。！？]/giu

/** At most `max` characters: whole sentences if one ends in time, else whole words and `…`. */
export function cutAtSentence(text: string, max: number): string {
  if (text.length <= max) return text
  const start = text.slice(0, max + 1)
  const end = [...start.matchAll(SENTENCE_END)].findLast(({ index }) => index < max)
  if (end && end.index >= Math.min(max / 3, SHORTEST / 2)) return start.slice(0, end.index + 1)
  const words = start.slice(0, max - 1)
  const blank = words.lastIndexOf(' ')
  return `${words.slice(0, blank > max / 2 ? blank : undefined).replace(/[\s,;:–—-]+$/u, '')}…`
}

const MAX_DEPTH = 3

/** Descriptions of parameters and of the members of objects among them. */
function describedParameters({ description, parameters: schema }: ToolSpec): ToolText['parameters'] {
  const knownWords = wordsIn(description)
  const found: { path: string; text: string }[] = []
  const visit = (value: JsonValue | undefined, path: string, depth: number) => {
    const resolved = resolveSchema(value, schema)
    const own = (value as JsonObject | undefined)?.['description'] ?? resolved['description']
    const text = typeof own === 'string' ? onOneLine(own) : ''
    if (path !== '' && addsInformation(text, [...knownWords, ...wordsIn(path)])) found.push({ path, text })
    if (depth >= MAX_DEPTH) return
    for (const branch of alternativesOf(resolved).map((one) => resolveSchema(one, schema))) {
      const items = branch['items'] === undefined ? null : resolveSchema(branch['items'], schema)
      const at = items ? `${path}[]` : path
      for (const [key, child] of Object.entries(propertiesOf(items ?? branch) ?? {}))
        visit(child, at === '' ? key : `${at}.${key}`, depth + 1)
    }
  }
  visit(schema, '', 0)
  return found.filter(({ path }, at) => found.findIndex((one) => one.path === path) === at)
}

/** Words that add nothing: `path`: "The path of the file". */
const EMPTY_WORDS = new Set(
  'a an the of to for from is as be in on or and by this that it its value string text number file path parameter argument optional required given specified'.split(
    ' ',
  ),
)

/** Whether at least a third of its words are new, compared to the parameter's name and the tool's description. */
function addsInformation(text: string, knownWords: readonly string[]): boolean {
  const words = wordsIn(text).filter((word) => !EMPTY_WORDS.has(word))
  const stems = new Set(knownWords.map(stemOf))
  const added = words.filter((word) => !stems.has(stemOf(word))).length
  return added > 0 && added * 3 >= words.length
}

const stemOf = (word: string): string => word.slice(0, 4)

const wordsIn = (text: string): readonly string[] =>
  text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []
