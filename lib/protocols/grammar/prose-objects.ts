import { chars, charsBut, takesChar, type CharsNode } from './grammar'
import type { PatternState, ProseMode, ProseModes, ProseWord } from './prose-automaton'

/* Building blocks for the patterns of a prose automaton. */

export const one = (of: CharsNode): PatternState => ({ of, loop: false })
/** Any number of characters of the class, including none. */
export const any = (of: CharsNode): PatternState => ({ of, loop: true })

/** The exact text. */
export const plain = (text: string): readonly PatternState[] => Array.from(text, (char) => one(chars(char)))
/** The text in any letter case. */
export const anyCase = (text: string): readonly PatternState[] =>
  Array.from(text, (char) => one(chars([...new Set([char.toLowerCase(), char.toUpperCase()])].join(''))))

export const BLANKS: PatternState = any(chars(' \t'))
export const SPACES: PatternState = any(chars(' \n\r\t'))

/** JSON tokens with optional white space between them. */
export const jsonWord = (...parts: readonly string[]): readonly PatternState[] =>
  parts.flatMap((part, i) => [...(i === 0 ? [] : [SPACES]), ...plain(part)])

export const atLineStart = (...rest: readonly PatternState[]): readonly PatternState[] => [
  ...plain('\n'),
  BLANKS,
  ...rest,
]

export const never = (pattern: readonly PatternState[]): ProseWord => ({ pattern, enters: null })

/*
 * Objects that begin in prose (`{a: …`), for the forms that read JSON. Anything inside such an object is part of it,
 * even a call. So the grammar remembers that one has begun, across everything that its reader skips:
 *
 *   {a: …          no call as a value, nor as an item of a list there
 *   {`a`: …        a code span is a key or a text of it
 *   {a: "…", …     a text ends on its line, and contains nothing that begins a call or hides one
 *   {a: // …       so does a comment
 */

/** The text that is assumed to have just been written: an object, or a list in one. */
const CONTEXTS = { Object: '{', List: '{:[' } as const
type Context = keyof typeof CONTEXTS
const contexts: readonly Context[] = ['List', 'Object']

const BEGUN: readonly PatternState[] = [...plain('{'), any(charsBut('{}'))]
/**
 * White space as the reader defines it: ASCII, what models are known to write beyond it, and line breaks written as
 * escapes.
 */
const GAP = any(chars(' \n\r\t\\nrt\u00a0\u200b\u2028\u3000\ufeff'))
/** Where a value is read: after a colon. */
const VALUE: readonly PatternState[] = [...BEGUN, one(chars(':：')), GAP]
const ITEMS = any(charsBut(']'))
const LIST: readonly PatternState[] = [...VALUE, ...plain('['), ITEMS]
/** Where a value is read in each context: right at the beginning, or after a comma. */
const PLACES: Readonly<Record<Context, readonly (readonly PatternState[])[]>> = {
  Object: [VALUE],
  List: [
    [...VALUE, ...plain('['), GAP],
    [...LIST, one(chars(',:')), GAP],
  ],
}
/** Quotes that open a text, with the quotes that close it. */
const QUOTES = { Double: ['"', '"'], Single: ["'", "'"], Curly: ['“„', '”“'] } as const
const quotes = Object.entries(QUOTES)
/** The reader accepts these as opening quotes, but the grammar does not write them as such. */
const OTHER_QUOTES = one(chars('”‘’＂'))
/** Where a comment may begin: after anything, including the end of a text. */
const COMMENT = BEGUN

/**
 * Where an object that would begin a call does not: only the outermost object is a call, and a brace before its own
 * counts as a doubled brace.
 */
const INSIDE: readonly (readonly [Context, readonly PatternState[]])[] = [
  ['Object', [...plain('{'), GAP]],
  ['Object', VALUE],
  ['List', LIST],
]

/** A mode of prose in which objects begin. */
export interface ObjectsIn {
  readonly home: string
  /** The JSON tokens that begin a call. */
  readonly parts: readonly string[]
  /** The same as patterns of the mode, with what they lead to. */
  readonly triggers: readonly ProseWord[]
  /** Whether code spans and fences begin in the mode. */
  readonly spans: boolean
}

/** The patterns for calls and other objects that begin in a mode. */
export function objectWords({ home, parts, triggers, spans }: ObjectsIn): readonly ProseWord[] {
  const line = { mode: `${home}Line` }
  return [
    ...INSIDE.map(([context, before]) => begins(never([...before, ...jsonWord(...parts)]), `${home}No${context}`)),
    ...triggers.map((word, i) => begins(word, `${home}Said${i}`)),
    { pattern: [...COMMENT, ...plain('//')], enters: line },
    { pattern: [...COMMENT, ...plain('#'), one(chars(' !'))], enters: line },
    { pattern: [...COMMENT, ...plain('/*')], enters: { mode: `${home}Block` } },
    ...contexts.flatMap((context) => [
      ...quotes.flatMap(([name, [opens]]) =>
        PLACES[context].map((place): ProseWord => {
          const mode = `${home}${context}${name}`
          return { pattern: [...place, one(chars(opens))], enters: { mode } }
        }),
      ),
      ...PLACES[context].map((place) => never([...place, OTHER_QUOTES])),
      ...(spans ? spanWords(context) : []),
    ]),
  ]
}

/**
 * Where to cut a pattern that has a text as the value of a key: at the start of that text, which may turn out to be a
 * different one.
 */
function cut({ pattern }: ProseWord): number {
  const signs = pattern.flatMap(({ of, loop }, i) => (loop ? [] : [{ of, i }]))
  const found = signs.find(({ of }, n) => n > 0 && isSign(of, '"') && isSign(signs[n - 1]?.of, ':'))
  return found ? found.i + 1 : pattern.length
}

const isSign = (of: CharsNode | undefined, sign: string): boolean =>
  of !== undefined && !of.not && takesChar(of, sign.charCodeAt(0))

const begins = (word: ProseWord, mode: string): ProseWord =>
  cut(word) === word.pattern.length ? word : { pattern: word.pattern.slice(0, cut(word)), enters: { mode } }

/** The rest of the patterns that were cut; if they do not continue, the value is any text. */
function restModes({ home, parts, triggers }: ObjectsIn): ProseModes {
  const rest = (word: ProseWord, context: Context): ProseMode => ({
    anchored: true,
    words: [{ ...word, pattern: word.pattern.slice(cut(word)) }],
    rest: { mode: `${home}${context}Double` },
  })
  const modes = [
    ...contexts.map((context) => [`${home}No${context}`, rest(never(jsonWord(...parts)), context)] as const),
    ...triggers.map((word, i) => [`${home}Said${i}`, rest(word, 'Object')] as const),
  ]
  return Object.fromEntries(modes.filter(([, mode]) => mode.words.every(({ pattern }) => pattern.length > 0)))
}

const begunIn = { Object: BEGUN, List: LIST } as const

const spanWords = (context: Context): readonly ProseWord[] => [
  { pattern: [...begunIn[context], ...atLineStart(...plain('`'))], enters: { mode: `lineTick${context}` } },
  { pattern: [...begunIn[context], ...plain('`')], enters: { mode: `tick${context}` } },
]

/** The modes that those patterns lead to. */
export const objectModes = (all: readonly ObjectsIn[]): ProseModes => ({
  ...Object.assign({}, ...contexts.map(spanModes)),
  ...Object.assign({}, ...all.map(restModes)),
  ...Object.assign({}, ...all.map(({ home }) => commentModes(home))),
  ...Object.assign({}, ...all.flatMap(({ home }) => contexts.map((context) => textsIn(home, context)))),
})

const textsIn = (home: string, context: Context): ProseModes =>
  Object.assign(
    {},
    ...quotes.map(([name, [, closes]]) =>
      textModes(`${home}${context}${name}`, closes, { mode: home, after: CONTEXTS[context] }),
    ),
  )

/** What the reader would read again if this turns out not to be an object: it would then begin a call, or hide one. */
const REREAD: readonly ProseWord[] = [never(plain('`')), never([...plain('<'), one(chars('!pPcC'))])]

/** A span of one backtick, closed on its line; three backticks at the start of a line open a fence. */
function spanModes(context: Context): ProseModes {
  const name = (mode: string) => `${mode}${context}`
  const tick = plain('`')
  const rest = { mode: name('code') }
  return {
    [name('tick')]: { anchored: true, words: [never(tick)], rest },
    [name('lineTick')]: { anchored: true, words: [{ pattern: tick, enters: { mode: name('secondTick') } }], rest },
    [name('secondTick')]: { anchored: true, words: [{ pattern: tick, enters: { mode: 'info3' } }] },
    [name('code')]: {
      ends: false,
      words: [{ pattern: tick, enters: { mode: name('ticked') } }, never(plain('\n'))],
    },
    [name('ticked')]: {
      anchored: true,
      words: [never(tick)],
      rest: { mode: 'open', after: CONTEXTS[context] },
    },
  }
}

/** A line comment, and a comment that closes on its line. A brace that closes the object ends it, too. */
function commentModes(home: string): ProseModes {
  const common: readonly ProseWord[] = [never(plain('{')), ...REREAD]
  const on = { mode: home, after: '{:' }
  return {
    [`${home}Line`]: {
      words: [{ pattern: plain('\n'), enters: { ...on, after: '{:\n' } }, ...common],
    },
    [`${home}Block`]: { words: [{ pattern: plain('*/'), enters: on }, never(plain('\n')), ...common] },
  }
}

/** A text in quotes, with escapes. Excludes triple quotes, which would span lines. */
function textModes(
  name: string,
  closes: string,
  enters: { readonly mode: string; readonly after: string },
): ProseModes {
  const closer = [one(chars(closes))]
  const rest = { mode: `${name}On` }
  const on: ProseMode = {
    words: [
      never([...plain('{'), SPACES, ...plain('"')]),
      { pattern: closer, enters },
      // An escaped brace is a brace to code that reads the contents of the text.
      { pattern: [...plain('\\'), one(charsBut('\n{'))], enters: rest },
      never(plain('\n')),
      ...REREAD,
    ],
  }
  return {
    [name]: { anchored: true, words: [{ pattern: closer, enters: { mode: `${name}Empty` } }], rest },
    [`${name}On`]: on,
    [`${name}Empty`]: { anchored: true, words: [never(closer)], rest: enters },
  }
}
