import { ARGUMENT_KEYS } from '../arguments/call-keys'
import { charsBut, chars, lit, many, seq } from './grammar'
import type { CharsNode, Grammar, Prose } from './grammar'
import { proseAutomaton } from './prose-automaton'
import type { PatternState, ProseMode, ProseModes, ProseWord } from './prose-automaton'
import { objectModes, objectWords, any, anyCase, atLineStart, BLANKS, never, one, plain, SPACES } from './prose-objects'
import type { ObjectsIn } from './prose-objects'

interface CallTrigger {
  readonly word: readonly PatternState[]
  readonly body: Grammar
}

export interface ProseForm {
  /** What begins a call in prose; the tools say what must follow. */
  readonly triggers: readonly (readonly PatternState[])[]
  /** Languages of code fences whose content is a call; of all others it is a quotation. */
  readonly carriers: readonly string[]
  /** What can't be written in the open: it would be read as a call, and is none of the form. */
  readonly never?: readonly (readonly PatternState[])[]
  /** The JSON that begins a call, by its tokens, for forms that read JSON: what comes in another object is a part of that. */
  readonly object?: readonly string[]
  /** Languages of code fences that can't be opened, for the same reason. */
  readonly neverFences?: readonly string[]
  /** What a walk tries beside the words that all forms have. */
  readonly shown: readonly string[]
}

interface FilledForm extends Omit<ProseForm, 'triggers'> {
  readonly triggers: readonly CallTrigger[]
}

/*
 * Prose in which a call that begins is a right one, by the rules by which the reader tells calls from quotations:
 *
 *   the open        a trigger, and then its call · `code` · > quotes · ``` fences · <think> · <!-- -->, <pre>, <code>
 *   fences          of a language that carries calls: a trigger, its call, the closing line; of others anything
 *   `code`, quotes  anything; a span that holds a trigger is closed on its line, and behind a quote comes an empty line
 *   thoughts        anything but the same tag again
 *   HTML            anything but a trigger, and the same tag again
 *
 * Behind a call comes a line end, and no bracket, quote, comma or colon begins the next line: it would belong to the call.
 */
export function proseWithCalls(form: ProseForm): (bodies: readonly Grammar[]) => Grammar {
  // Written once for all tools: only what follows the triggers is theirs.
  let automaton: Prose | null = null
  return (bodies) => {
    automaton ??= automatonOf(form)
    return { kind: 'prose', prose: withBodies(automaton, bodies) }
  }
}

/** Stands for the body of one of the triggers. */
const hole = (trigger: number): Grammar => lit(`body ${trigger}`)

/** The automaton with the bodies that the tools give it; a fence's closing line stays behind them. */
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
    // What a quotation's last line opens may continue behind it.
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
    // `“path”:`, `path":`: a key of something that stood in the call.
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

/** White space where JSON lets it stand, not for ever. */
export const blanks: Grammar = many(chars(' \n\t'), 0, 20)

const BLANK_LINES: PatternState = { of: chars(' \t\r\n'), loop: true }
/** What words are made of; nothing that a form or Markdown begins with. */
const WORD_SIGN: CharsNode = charsBut(' \t\r\n"\'“”’，：、`<>{}[]~()|,:;!')

/** The calls and other objects that begin in the open. */
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

/** Spans of one to three backticks; at the start of a line three of them open a fence. */
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
      // Not closed on its line it would be no span, and what it holds a call.
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

/** Backticks so far; others than those that make a longer run begin the span. */
const tickRun = (next: string | null, length: number): ProseMode => ({
  anchored: true,
  words: [{ pattern: plain('`'), enters: next === null ? null : { mode: next } }],
  rest: { mode: `code${length}` },
})

/** Behind `Action:` a fence is another form's call, and takes the line that closes it along. */
const actionFence = (): ProseModes => ({ actionTick1: tickRun('actionTick2', 1), actionTick2: tickRun(null, 2) })

/** Fences of three and four backticks, and of three tildes. */
const FENCES = [
  { name: '3', mark: '```', longer: 'info4' },
  { name: '4', mark: '````', longer: null },
  { name: 'Tilde', mark: '~~~', longer: null },
] as const

/** The calls and other objects that begin in a fence that carries calls; a call takes the closing line along. */
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

/** The opening line of a fence of a language, to its end; what is in the same line behind a brace could be the call. */
function languageWords(language: string, enters: ProseWord['enters']): readonly ProseWord[] {
  const name = [BLANKS, ...anyCase(language)]
  const end = { of: chars(' \t\r'), loop: true }
  // A blank ends a name; where there is none, what is behind it is the name.
  const behind = [one(chars(language === '' ? ':,' : ' \t:,')), { of: charsBut('`{\n'), loop: true }]
  return [
    { pattern: [...name, end, ...plain('\n')], enters },
    { pattern: [...name, ...behind, ...plain('\n')], enters },
    ...(enters === null ? [] : [never([...name, end, ...plain('{')]), never([...name, ...behind, ...plain('{')])]),
  ]
}

/** A tag, also with something behind its name. */
const tags = (begin: string, name: string): readonly (readonly PatternState[])[] => {
  const named = [...plain(begin), ...anyCase(name)]
  return [
    [...named, ...plain('>')],
    [...named, one(chars(' \t')), { of: charsBut('<>/{[`\n'), loop: true }, ...plain('>')],
  ]
}
const element = (name: string) => ({ opens: tags('<', name), closes: tags('</', name) })

/** Marks of thoughts that models write. */
const THOUGHTS = ['think', 'thinking', 'thought', 'reasoning'].map(element)

const thoughts = (): ProseModes =>
  Object.fromEntries(
    THOUGHTS.map(({ opens, closes }, i): [string, ProseMode] => [
      `thought${i}`,
      { words: [...closes.map((pattern) => ({ pattern, enters: { mode: 'open' } })), ...opens.map(never)] },
    ]),
  )

/** Stretches of HTML. */
const HTML = [
  { opens: [plain('<!--')], closes: [plain('-->')], nests: false },
  ...['pre', 'code'].map((name) => ({ ...element(name), nests: true })),
]

type Stretch = Pick<(typeof HTML)[number], 'opens'>

/** A word for each opener, given which of the stretches it opens. */
const openers = (
  of: readonly Stretch[],
  word: (open: readonly PatternState[], i: number) => ProseWord,
): readonly ProseWord[] => of.flatMap(({ opens }, i) => opens.map((open) => word(open, i)))

/** Elements whose calls are quotations: one that begins a line reaches to its closer, others at most to the paragraph's end. */
function html({ triggers, object }: FilledForm): ProseModes {
  const modes = HTML.flatMap(({ opens, closes, nests }, i): readonly (readonly [string, ProseMode])[] => {
    const words: readonly ProseWord[] = [
      ...closes.map((pattern): ProseWord => ({ pattern, enters: { mode: 'open' } })),
      ...triggers.map(({ word }) => never(word)),
      ...(nests ? opens.map(never) : []),
    ]
    const paragraph = atLineStart(...plain('\n'))
    // Without a closer it is none, and what begins a block in it counts.
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
