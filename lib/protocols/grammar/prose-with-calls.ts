import { ARGUMENT_KEYS } from '../arguments/tool-index'
import { charsBut, chars, lit, many, seq, type CharsNode, type Grammar, type Prose } from './grammar'
import { proseAutomaton, type PatternState, type ProseMode, type ProseModes, type ProseWord } from './prose-automaton'
import {
  objectModes,
  objectWords,
  any,
  anyCase,
  atLineStart,
  BLANKS,
  never,
  one,
  plain,
  SPACES,
  type ObjectsIn,
} from './prose-objects'

interface CallTrigger {
  readonly word: readonly PatternState[]
  readonly body: Grammar
}

export interface ProseForm {
  /** What begins a call in prose; the tools determine what must follow. */
  readonly triggers: readonly (readonly PatternState[])[]
  /** Languages of code fences whose content is a call; in all other fences it is a quotation. */
  readonly carriers: readonly string[]
  /** What can't be written outside quotations: it would be read as a call, but is not one of the form. */
  readonly never?: readonly (readonly PatternState[])[]
  /**
   * The JSON tokens that begin a call, for forms that read JSON: inside another object they are a part of that object.
   */
  readonly object?: readonly string[]
  /** Languages of code fences that can't be opened, for the same reason. */
  readonly neverFences?: readonly string[]
  /** Texts that a walk tries in addition to those shared by all forms. */
  readonly shown: readonly string[]
}

interface FilledForm extends Omit<ProseForm, 'triggers'> {
  readonly triggers: readonly CallTrigger[]
}

/*
 * Prose in which every call that begins is valid, by the reader's rules that separate calls from quotations:
 *
 *   the open        a trigger, and then its call · `code` · > quotes · ``` fences · <think> · <!-- -->, <pre>, <code>
 *   fences          of a language that carries calls: a trigger, its call, the closing line; of others anything
 *   `code`, quotes  anything; a span that holds a trigger is closed on its line, and an empty line follows a quote
 *   thoughts        anything but the same tag again
 *   HTML            anything but a trigger, and the same tag again
 *
 * A line end follows a call, and no bracket, quote, comma or colon begins the next line: it would belong to the call.
 */
export function proseWithCalls(form: ProseForm): (bodies: readonly Grammar[]) => Grammar {
  // Built once for all tools: only what follows the triggers depends on them.
  let automaton: Prose | null = null
  return (bodies) => {
    automaton ??= automatonOf(form)
    return { kind: 'prose', prose: withBodies(automaton, bodies) }
  }
}

/** A placeholder for the body of one of the triggers. */
const hole = (trigger: number): Grammar => lit(`body ${trigger}`)

/** The automaton with the tools' bodies inserted, each followed by the closing line of its fence. */
function withBodies(prose: Prose, bodies: readonly Grammar[]): Prose {
  const known = new Map<Grammar, Grammar>()
  const filled = (node: Grammar): Grammar => {
    const found = known.get(node)
    if (found) return found
    const own = node.kind === 'lit' ? bodies[Number(/^body (\d+)$/.exec(node.text)?.[1] ?? -1)] : undefined
    const result = own ?? (node.kind === 'seq' ? seq(...node.items.map(filled)) : node)
    known.set(node, result)
    return result
  }
  const states = prose.states.map(({ ends, steps }) => ({
    ends,
    steps: steps.map((step) => (step.body ? { ...step, body: filled(step.body) } : step)),
  }))
  return { ...prose, states }
}

function automatonOf(shape: ProseForm): Prose {
  const form = { ...shape, triggers: shape.triggers.map((word, i): CallTrigger => ({ word, body: hole(i) })) }
  const modes: ProseModes = {
    open: openMode(form),
    ...codeSpans(form),
    ...fences(form),
    ...(form.object === undefined
      ? {}
      : objectModes([openObjects(form), ...FENCES.map((kind) => fencedObjects(form, kind))])),
    ...actionFence(),
    quote: {
      words: [
        ...(form.object === undefined
          ? []
          : ['{', '['].map((opener) => ({
              pattern: [...plain(opener), BLANKS, ...plain('\n')],
              enters: { mode: 'quoteOn' },
            }))),
        { pattern: plain('\n'), enters: { mode: 'quoteEnd' } },
      ],
    },
    // Something that a quotation's last line opens may continue after it.
    quoteOn: { anchored: true, words: [{ pattern: [BLANKS, ...plain('>')], enters: { mode: 'quote' } }] },
    quoteEnd: {
      anchored: true,
      words: [
        { pattern: [BLANKS, ...plain('>')], enters: { mode: 'quote' } },
        { pattern: [BLANKS, ...plain('\n')], enters: { mode: 'open', after: '\n' } },
      ],
    },
    ...thoughts(),
    ...html(form),
    after: { anchored: true, words: [{ pattern: plain('\n'), enters: { mode: 'afterLine' } }] },
    afterLine: {
      anchored: true,
      words: [
        { pattern: [BLANK_LINES, one(chars('}]),:;"\'”’，：、'))], enters: null },
        { pattern: [BLANK_LINES, one(WORD_SIGN)], enters: { mode: 'afterWord' } },
        { pattern: [BLANK_LINES, one(chars('“„＂'))], enters: { mode: 'afterQuote' } },
      ],
      rest: { mode: 'open', after: '\n' },
    },
    // `“path”:`, `path":`: a key that belongs to something inside the call.
    afterQuote: {
      anchored: true,
      words: [
        never([any(charsBut('"\'“”„＂\n:：')), one(chars(':：'))]),
        never([any(charsBut('"\'“”„＂\n:：')), one(chars('"\'“”„＂')), any(chars(' \t\r\n')), one(chars(':：{['))]),
      ],
      rest: { mode: 'open', after: '\nAction' },
    },
    afterWord: {
      anchored: true,
      words: [
        never([{ of: WORD_SIGN, loop: true }, one(chars('"“”'))]),
        never([{ of: WORD_SIGN, loop: true }, one(chars("'„＂")), BLANKS, one(chars(':：'))]),
        // `arguments: {`, without its first letter.
        ...ARGUMENT_KEYS.map((key) =>
          never([...plain(key.slice(1)), BLANKS, one(chars(':：')), BLANKS, ...plain('{')]),
        ),
      ],
      rest: { mode: 'open', after: '\nAction' },
    },
  }
  return proseAutomaton(modes, { mode: 'open', after: '\n' }, [...SHOWN, ...form.shown, ...form.shown, ...form.shown])
}

const SHOWN = [
  'So ',
  'well.\n',
  '\n\n',
  '`a`',
  '`',
  '``',
  '\n> ',
  '\n```text\n',
  '\n```\n',
  '\n```json\n',
  '\n~~~\n',
  '\n````md\n',
  '\n````\n',
  '\n<think>so `> it { </think>\n',
  '\n<thinking>\nhm',
  '<!-- ',
  ' -->',
  '<code>',
  '</code>',
]

/** White space where JSON allows it, limited in length. */
export const blanks: Grammar = many(chars(' \n\t'), 0, 20)

const BLANK_LINES: PatternState = { of: chars(' \t\r\n'), loop: true }
/** The characters of ordinary text; nothing that begins a form or Markdown. */
const WORD_SIGN: CharsNode = charsBut(' \t\r\n"\'“”’，：、`<>{}[]~()|,:;!')

/** The calls and other objects that begin outside quotations. */
const openObjects = ({ triggers, object = [] }: FilledForm): ObjectsIn => ({
  home: 'open',
  parts: object,
  triggers: triggers.map(({ word, body }) => ({ pattern: word, body, enters: { mode: 'after' } })),
  spans: true,
})

const callWords = (form: FilledForm, objects: ObjectsIn): readonly ProseWord[] => [
  ...(form.never ?? []).map(never),
  ...(form.object === undefined ? objects.triggers : objectWords(objects)),
]

function openMode(form: FilledForm): ProseMode {
  return {
    words: [
      { pattern: atLineStart(...plain('Action:'), SPACES, ...plain('`')), enters: { mode: 'actionTick1' } },
      ...callWords(form, openObjects(form)),
      { pattern: atLineStart(...plain('`')), enters: { mode: 'lineTick1' } },
      { pattern: atLineStart(...plain('~~~')), enters: { mode: 'infoTilde' } },
      { pattern: atLineStart(...plain('>')), enters: { mode: 'quote' } },
      ...openers(THOUGHTS, (open, i) => ({ pattern: atLineStart(...open), enters: { mode: `thought${i}` } })),
      ...openers(HTML, (open, i) => ({ pattern: atLineStart(...open), enters: { mode: `block${i}` } })),
      ...openers(HTML, (open, i) => ({ pattern: open, enters: { mode: `html${i}` } })),
      { pattern: plain('`'), enters: { mode: 'tick1' } },
    ],
  }
}

/** Spans of one to three backticks; three at the start of a line open a fence. */
function codeSpans({ triggers, object }: FilledForm): ProseModes {
  const held = [
    ...(object === undefined ? [] : [plain('{')]),
    ...triggers.map(({ word }) => word),
    ...HTML.flatMap(({ opens }) => opens),
  ]
  const spans = [1, 2, 3].map((length): ProseModes => {
    const closer: ProseWord = { pattern: plain('`'.repeat(length)), enters: { mode: 'ticked' } }
    return {
      [`code${length}`]: {
        words: [
          closer,
          { pattern: plain('\n'), enters: { mode: 'open', after: '\n' } },
          ...held.map((pattern): ProseWord => ({ pattern, enters: { mode: `held${length}` } })),
        ],
      },
      // If it were not closed on its line, it would not be a span, and its content would be a call.
      [`held${length}`]: { ends: false, words: [closer, never(plain('\n'))] },
    }
  })
  return {
    ...Object.assign({}, ...spans),
    tick1: tickRun('tick2', 1),
    tick2: tickRun('tick3', 2),
    tick3: tickRun(null, 3),
    lineTick1: tickRun('lineTick2', 1),
    lineTick2: tickRun('info3', 2),
    ticked: { anchored: true, words: [never(plain('`'))], rest: { mode: 'open' } },
  }
}

/** The backticks so far; any other character than one more backtick begins the span. */
const tickRun = (next: string | null, length: number): ProseMode => ({
  anchored: true,
  words: [{ pattern: plain('`'), enters: next === null ? null : { mode: next } }],
  rest: { mode: `code${length}` },
})

/** After `Action:` a fence is another form's call, and includes its closing line. */
const actionFence = (): ProseModes => ({ actionTick1: tickRun('actionTick2', 1), actionTick2: tickRun(null, 2) })

/** Fences of three and four backticks, and of three tildes. */
const FENCES = [
  { name: '3', mark: '```', longer: 'info4' },
  { name: '4', mark: '````', longer: null },
  { name: 'Tilde', mark: '~~~', longer: null },
] as const

/** The calls and other objects that begin in a fence that carries calls; a call includes the closing line. */
const fencedObjects = (
  { triggers, object = [] }: FilledForm,
  { name, mark }: Pick<(typeof FENCES)[number], 'name' | 'mark'>,
): ObjectsIn => ({
  home: `carrier${name}`,
  parts: object,
  triggers: triggers.map(({ word, body }) => ({
    pattern: word,
    body: seq(body, lit(`\n${mark}`)),
    enters: { mode: 'closed' },
  })),
  spans: false,
})

function fences(form: FilledForm): ProseModes {
  const all = FENCES.map((kind): ProseModes => {
    const { name, mark, longer } = kind
    const sign = mark.charAt(0)
    const more = { of: chars(sign), loop: true }
    const closer: ProseWord = {
      pattern: atLineStart(...plain(mark), more, BLANKS, ...plain('\n')),
      enters: { mode: 'open', after: '\n' },
    }
    const open = (mode: string) => ({ mode, after: '\n' })
    return {
      [`info${name}`]: {
        anchored: true,
        words: [
          { pattern: plain(sign), enters: longer === null ? null : { mode: longer } },
          ...form.carriers.flatMap((language) => languageWords(language, open(`carrier${name}`))),
          ...(form.neverFences ?? []).flatMap((language) => languageWords(language, null)),
        ],
        rest: { mode: `rest${name}` },
      },
      [`rest${name}`]: {
        words: [{ pattern: plain('\n'), enters: open(`fence${name}`) }, ...(sign === '`' ? [never(plain(sign))] : [])],
      },
      [`fence${name}`]: { words: [closer] },
      [`carrier${name}`]: {
        words: [closer, ...callWords(form, fencedObjects(form, kind))],
      },
    }
  })
  return {
    ...Object.assign({}, ...all),
    closed: { anchored: true, words: [{ pattern: plain('\n'), enters: { mode: 'open', after: '\n' } }] },
  }
}

/** The opening line of a fence of a language, to its end; text after a brace on that line could be the call. */
function languageWords(language: string, enters: ProseWord['enters']): readonly ProseWord[] {
  const name = [BLANKS, ...anyCase(language)]
  const end = { of: chars(' \t\r'), loop: true }
  // A blank ends a name; without one, the text after it is the name.
  const behind = [one(chars(language === '' ? ':,' : ' \t:,')), { of: charsBut('`{\n'), loop: true }]
  return [
    { pattern: [...name, end, ...plain('\n')], enters },
    { pattern: [...name, ...behind, ...plain('\n')], enters },
    ...(enters === null ? [] : [never([...name, end, ...plain('{')]), never([...name, ...behind, ...plain('{')])]),
  ]
}

/** A tag, with or without something after its name. */
const tags = (begin: string, name: string): readonly (readonly PatternState[])[] => {
  const named = [...plain(begin), ...anyCase(name)]
  return [
    [...named, ...plain('>')],
    [...named, one(chars(' \t')), { of: charsBut('<>/{[`\n'), loop: true }, ...plain('>')],
  ]
}
const element = (name: string) => ({ opens: tags('<', name), closes: tags('</', name) })

/** Reasoning tags that models write. */
const THOUGHTS = ['think', 'thinking', 'thought', 'reasoning'].map(element)

const thoughts = (): ProseModes =>
  Object.fromEntries(
    THOUGHTS.map(({ opens, closes }, i): [string, ProseMode] => [
      `thought${i}`,
      { words: [...closes.map((pattern) => ({ pattern, enters: { mode: 'open' } })), ...opens.map(never)] },
    ]),
  )

/** Ranges of HTML. */
const HTML = [
  { opens: [plain('<!--')], closes: [plain('-->')], nests: false },
  ...['pre', 'code'].map((name) => ({ ...element(name), nests: true })),
]

type Stretch = Pick<(typeof HTML)[number], 'opens'>

/** A pattern for each opener, given the range that it opens. */
const openers = (
  of: readonly Stretch[],
  word: (open: readonly PatternState[], i: number) => ProseWord,
): readonly ProseWord[] => of.flatMap(({ opens }, i) => opens.map((open) => word(open, i)))

/**
 * Elements whose calls are quotations: one that begins a line ends at its closer, others end at the end of the
 * paragraph or earlier.
 */
function html({ triggers, object }: FilledForm): ProseModes {
  const modes = HTML.flatMap(({ opens, closes, nests }, i): readonly (readonly [string, ProseMode])[] => {
    const words: readonly ProseWord[] = [
      ...closes.map((pattern): ProseWord => ({ pattern, enters: { mode: 'open' } })),
      ...triggers.map(({ word }) => never(word)),
      ...(nests ? opens.map(never) : []),
    ]
    const paragraph = atLineStart(...plain('\n'))
    // Without a closer it is not an element, and a block that begins in it counts.
    const blocks: readonly ProseWord[] = [
      never(atLineStart(one(chars('`~>')))),
      never(atLineStart(...plain('<'), one(charsBut('/')))),
    ]
    return [
      [`block${i}`, { words }],
      [
        `html${i}`,
        {
          words: [
            { pattern: paragraph, enters: { mode: 'open', after: '\n' } },
            ...words,
            ...blocks,
            ...(object === undefined ? [] : [{ pattern: plain('{'), enters: { mode: `heldHtml${i}`, after: '{' } }]),
          ],
        },
      ],
      ...(object === undefined
        ? []
        : [[`heldHtml${i}`, { ends: false, words: [...words, ...blocks, never(paragraph)] }] as const]),
    ]
  })
  return Object.fromEntries(modes)
}
