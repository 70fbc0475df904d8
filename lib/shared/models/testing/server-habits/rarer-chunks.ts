import { chunkOf, piecesOf, type Habit } from './habit'

type Send = Habit['send']
const habit = (does: string, send: Send, expected: Habit['expected']): Habit => ({ does, send, expected })

const text = 'Words of a rarer server: 好 😀.'

const whole = (message: object) => ({
  id: 'x',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
})

const crashed = 'failed while'

/** Chunks that are seen less often. */
export const rarerChunkHabits: Readonly<Record<string, Habit>> = {
  'r-role-again': habit(
    'repeats the role in each delta',
    (out) => {
      for (const piece of piecesOf(text)) out.delta({ role: 'assistant', content: piece })
      out.stop()
    },
    { text },
  ),
  'r-parts-object': habit(
    'sends content as one part',
    (out) => {
      for (const piece of piecesOf(text)) out.delta({ content: { type: 'text', text: piece } })
      out.stop()
    },
    { text },
  ),
  'r-parts-value': habit(
    'sends parts whose text is an object (Assistants)',
    (out) => {
      out.delta({ content: [{ type: 'text', text: { value: text, annotations: [] } }] })
      out.stop()
    },
    { text },
  ),
  'r-output-text': habit(
    'sends parts called output_text',
    (out) => {
      out.delta({ content: [{ type: 'output_text', text, annotations: [] }] })
      out.stop()
    },
    { text },
  ),
  'r-content-bool': habit(
    'sends a content that is false',
    (out) => {
      out.delta({ content: false })
      out.words(text)
      out.stop()
    },
    { text },
  ),
  'r-thought-key': habit(
    'sends thoughts as `thought`',
    (out) => {
      out.words('I think. ', 'thought')
      out.words(text)
      out.stop()
    },
    { text, reasoning: 'I think. ' },
  ),
  'r-reasoning-text': habit(
    'sends thoughts as `reasoning_text` (Copilot)',
    (out) => {
      out.words('I think. ', 'reasoning_text')
      out.words(text)
      out.stop()
    },
    { text, reasoning: 'I think. ' },
  ),
  'r-cot': habit(
    'sends thoughts as `thinking_content`',
    (out) => {
      out.words('I think. ', 'thinking_content')
      out.words(text)
      out.stop()
    },
    { text, reasoning: 'I think. ' },
  ),
  'r-thinking-blocks': habit(
    'sends thoughts as text and as blocks (LiteLLM)',
    (out) => {
      for (const piece of piecesOf('I think. '))
        out.delta({ reasoning_content: piece, thinking_blocks: [{ type: 'thinking', thinking: piece }] })
      out.words(text)
      out.stop()
    },
    { text, reasoning: 'I think. ' },
  ),
  'r-blocks-alone': habit(
    'sends thoughts as blocks alone',
    (out) => {
      for (const piece of piecesOf('I think. ')) out.delta({ thinking_blocks: [{ type: 'thinking', thinking: piece }] })
      out.words(text)
      out.stop()
    },
    { text, reasoning: 'I think. ' },
  ),
  'r-audio': habit(
    'sends a transcript beside sounds',
    (out) => {
      out.delta({ content: null, audio: { id: 'a', transcript: text } })
      out.stop()
    },
    { text },
  ),
  'r-whole-text': habit(
    'answers with one JSON of the older completions',
    (out) => out.answer(200, { choices: [{ index: 0, text, finish_reason: 'stop' }] }),
    { text },
  ),
  'r-whole-parts': habit(
    'answers with one JSON that has parts',
    (out) => out.answer(200, whole({ content: [{ type: 'text', text }] })),
    {
      text,
    },
  ),
  'r-whole-thoughts': habit(
    'answers with one JSON with thoughts',
    (out) => out.answer(200, whole({ content: text, reasoning_content: 'I think.' })),
    { text, reasoning: 'I think.' },
  ),
  'r-wrapped': habit('wraps its JSON in data', (out) => out.answer(200, { code: 0, data: whole({ content: text }) }), {
    text,
  }),
  'r-wrapped-chunks': habit(
    'wraps its chunks in data',
    (out) => {
      for (const piece of piecesOf(text)) out.event({ code: 0, data: chunkOf({ content: piece }) })
      out.event({ code: 0, data: chunkOf({}, 'stop') })
    },
    { text },
  ),
  'r-output-wrapped': habit(
    'wraps its choices in output (DashScope)',
    (out) => {
      for (const piece of piecesOf(text))
        out.event({ output: { choices: [{ message: { content: piece, role: 'assistant' }, finish_reason: 'null' }] } })
      out.event({ output: { choices: [{ message: { content: '', role: 'assistant' }, finish_reason: 'stop' }] } })
    },
    { text },
  ),
  'r-anthropic': habit(
    'speaks Anthropic’s events',
    (out) => {
      out.raw('event: message_start\ndata: {"type":"message_start","message":{"role":"assistant","content":[]}}\n\n')
      out.raw(
        'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n',
      )
      out.raw(
        `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"lost?"}}\n\n`,
      )
      out.raw('event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}\n\n')
      out.raw('event: message_stop\ndata: {"type":"message_stop"}\n\n')
    },
    { outcome: 'failed', says: 'invalid response' },
  ),
  'r-gemini': habit(
    'speaks Gemini’s events',
    (out) =>
      out.event({ candidates: [{ content: { parts: [{ text: 'lost?' }], role: 'model' }, finishReason: 'STOP' }] }),
    { outcome: 'failed', says: 'invalid response', detail: 'lost?' },
  ),
  'r-responses': habit(
    'speaks OpenAI’s Responses',
    (out) => {
      out.raw('event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"lost?"}\n\n')
      out.raw('event: response.completed\ndata: {"type":"response.completed","response":{"status":"completed"}}\n\n')
    },
    { outcome: 'failed', says: 'invalid response', detail: 'lost?' },
  ),
  'r-ollama-error': habit(
    'ends Ollama’s lines with an error',
    (out) => {
      out.begin('application/x-ndjson')
      out.raw('{"message":{"content":"some words"},"done":false}\n')
      out.raw('{"error":"an error was encountered while running the model: unexpected EOF"}\n')
    },
    { text: 'some words', outcome: 'failed', says: crashed, detail: 'unexpected EOF' },
  ),
  'r-ollama-length': habit(
    'ends Ollama’s lines at the limit',
    (out) => {
      out.begin('application/x-ndjson')
      out.raw('{"message":{"thinking":"Hm."},"done":false}\n')
      out.raw('{"message":{"content":"some words"},"done":false}\n')
      out.raw('{"done":true,"done_reason":"length","prompt_eval_count":3,"eval_count":4}\n')
    },
    { text: 'some words', reasoning: 'Hm.', outcome: 'length', usage: [3, 4] },
  ),
  'r-ollama-load': habit(
    'loads its model only, and says so (Ollama)',
    (out) => {
      out.begin('application/x-ndjson')
      out.raw('{"message":{"content":""},"done":true,"done_reason":"load"}\n')
    },
    { outcome: 'failed', says: 'ended abnormally' },
  ),
}
