/** Frames native calls; it may stand in names, and never raw in JSON. */
const RECORD_SEPARATOR = '\u001e'

/** Names of reasoning, whatever stands before the word. */
const THOUGHT = '[\\w.:-]{0,40}(?:think|thinking|thoughts?|reasoning|scratchpad|analysis)'
/** Inside of JSON a line begins where its text does, or behind a written line break. */
const LINE_START = '(?<=\\\\n[ \\t]{0,3}|")'

/**
 * What a result must not be able to say: every mark by which any strategy, or a dialect that models know, tells calls,
 * results, reasoning and code fences from text.
 */
const MARKS = new RegExp(
  [
    '<(?=[\\s/\\\\!]*(?:[\\w.-]{1,32}:)?(?:tool|function|invoke|param|think|reason|antml|action|result|name|arg|cdata|\\[cdata))',
    `<(?=[\\s/\\\\]*${THOUGHT}\\b)`,
    `\\[(?=[\\s/\\\\]*${THOUGHT}\\s*\\])`,
    '◁',
    '<(?=/s>|/?eos>|seed:|escape>|turn\\||(?:start|end)_(?:of_turn|function_call)>|(?:channel|tool_call)\\|>)',
    '\\[(?=e~\\[)',
    '\\](?=<\\]minimax|~b\\])',
    `${LINE_START}[HU](?=(?:uman|ser)\\s?[:：])`,
    `${LINE_START}a(?=ction:\\s)`,
    `${LINE_START}c(?=all:[\\w.-]{1,64}\\{)`,
    't(?=o=functions\\.)',
    '<(?=<)',
    '<(?=[|｜‖])',
    '[「」『』]',
    '\\[(?=\\[VCP|/?TOOL_|/?INST|ARGS|CALL_ID)',
    '`(?=``)',
    '~(?=~~)',
    '(?<![\\\\</])\\bt(?=ool_calls?\\b|ool_call_result)',
    '(?<!\\\\)\\bf(?=unction_calls?\\b)',
    '(?<!\\\\)\\ba(?=ction(?:_input)?\\\\?["\'])',
    '(?<!\\\\)\\bo(?=bservation\\s*[:：])',
    'V(?=CP(?:调用|ToolCall))',
    RECORD_SEPARATOR,
    '\\{(?=\\{\\s*tools?\\s*\\}|\\{\\s*tool_context)',
  ].join('|'),
  'gi',
)

const escapeUnit = (mark: string): string => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * JSON text in which no delimiter of any strategy stands any more: the first character of each is written as `\uXXXX`.
 * Delimiters only occur inside JSON strings, so `JSON.parse` gives the same value back, and a model that copies a value
 * writes what was meant.
 */
export function neutraliseJson(json: string): string {
  return json.replaceAll(MARKS, escapeUnit)
}

const ATTRIBUTE = new RegExp(`[&<>"'「」\`~[{\n\r${RECORD_SEPARATOR}]`, 'g')

/** A name or an id as the value of an XML attribute. */
export function neutraliseAttribute(text: string): string {
  return text.replaceAll(ATTRIBUTE, (char) =>
    char === '&' ? '&amp;' : char === '"' ? '&quot;' : `&#${char.charCodeAt(0)};`,
  )
}
