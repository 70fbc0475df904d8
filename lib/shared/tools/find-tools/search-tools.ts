import MiniSearch from 'minisearch'
import { isJsonObject, type JsonObject } from '@/lib/base/json'

/** The searched fields of a tool. */
export interface SearchableTool {
  readonly name: string
  readonly title?: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly parameters: JsonObject
}

/** The found definitions are added to the chat: a model reads this many, but not more. */
export const maxFound = 6

/** Words that say nothing about a tool. */
const emptyWords = new Set('a an and by for from in into is it of on or that the this to tool use with'.split(' '))

/** Names of the tools that match best, the best one first; at most `maxFound`. */
export function searchTools(tools: readonly SearchableTool[], query: string): readonly string[] {
  const exact = tools.filter(({ name }) =>
    query
      .toLowerCase()
      .split(/[\s,;]+/)
      .includes(name.toLowerCase()),
  )
  const index = new MiniSearch<{ id: string }>({
    fields: ['words', 'title', 'description', 'parameters'],
    tokenize: wordsOf,
    processTerm: (term) => (emptyWords.has(term) ? null : term),
    searchOptions: {
      boost: { words: 4, title: 3, description: 2 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    },
  })
  index.addAll(
    tools.map(({ name, title = '', description, parameters }) => ({
      id: name,
      words: name,
      title,
      description: description.slice(0, 2_000),
      parameters: isJsonObject(parameters['properties']) ? Object.keys(parameters['properties']).join(' ') : '',
    })),
  )
  const names = [...exact.map(({ name }) => name), ...index.search(query).map(({ id }) => String(id))]
  return [...new Set(names)].slice(0, maxFound)
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** `createIssue`, `create_issue` and `create issue` are the same words; Chinese and Japanese are split at words. */
function wordsOf(text: string): string[] {
  const spaced = text.replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').replaceAll(/[_\-./:]+/g, ' ')
  return [...segmenter.segment(spaced)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment.toLowerCase())
}
