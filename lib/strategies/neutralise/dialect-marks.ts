/** Names of reasoning, whatever stands before the word. */
const THOUGHT = '[\\w.:-]{0,40}(?:think|thinking|thoughts?|reasoning|scratchpad|analysis)'
/** Inside of JSON a line begins where its text does, or behind a written line break. */
const LINE_START = '(?<=\\\\n[ \\t]{0,3}|")'

/**
 * Marks of no strategy of ours: of dialects that models know, of reasoning, code fences, turns and prompts. Each matches
 * the one character that is escaped; the strategies' own stand in their folders.
 */
export const dialectMarks: readonly RegExp[] = [
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
