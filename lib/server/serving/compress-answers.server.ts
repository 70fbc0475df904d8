import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants } from 'node:zlib'
import compression from 'compression'

/** Pages, what a page asks for when it goes on to another one, and answers of the API: text that is sent in one go. */
const WORTH_IT = /^(?:text\/html|text\/x-component|text\/plain|application\/json)\b/i

/** Below this the head is most of it. */
const LEAST_BYTES = 1_024

/**
 * Compresses answers that are made anew each time, by Brotli or gzip. Never a stream of events: each is to arrive when it is
 * written. Level 4 takes a fifth off what gzip makes of our pages in about the time that gzip takes.
 */
export function createAnswerCompression(): (
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
) => void {
  const compress = compression({
    threshold: LEAST_BYTES,
    brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    filter: (_request, response) => WORTH_IT.test(String(response.getHeader('content-type') ?? '')),
  })
  // It is written for Express, whose requests are Node's with more to them; of that it uses nothing.
  return compress as unknown as ReturnType<typeof createAnswerCompression>
}
