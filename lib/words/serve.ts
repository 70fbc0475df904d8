import { errorsOf, type Catalogue } from '@/lib/base/catalogue'

/** What whoever runs the server reads of its processes. */
export const serveWords = {
  'serve.base-path':
    'NOD_BASE_PATH is “{basePath}”, but this was built to stand under “{built, select, empty {/} other {{built}}}”. Build it again with the same NOD_BASE_PATH, or leave it out.',
  'serve.not-listening': 'The server could not listen: {why}.',
  'serve.broken': 'The server could not answer.',
  'serve.code': 'with code {code}',
  'serve.signal': 'by {signal}',
  'serve.not-started': 'A worker ended before it could serve ({how}), and another one would too. See above.',
  'serve.worker-died':
    'Worker {place} (process {pid}) ended {how}. {waitMs, plural, =0 {Another one takes its place.} other {Another one takes its place in {waitMs, span}.}}',
} as const satisfies Catalogue

export const serveError = errorsOf(serveWords)
