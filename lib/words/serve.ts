import { errorsOf, type Catalogue } from '@/lib/base/catalogue'

/** What whoever runs the server reads of its processes. */
export const serveWords = {
  'serve.base-path': ({ basePath, built }: { readonly basePath: string; readonly built: string }) =>
    `NOD_BASE_PATH is “${basePath}”, but this was built to stand under “${built === '' ? '/' : built}”. Build it again with the same NOD_BASE_PATH, or leave it out.`,
  'serve.not-listening': ({ why }: { readonly why: string }) => `The server could not listen: ${why}.`,
  'serve.broken': 'The server could not answer.',
  'serve.code': ({ code }: { readonly code: number }) => `with code ${code}`,
  'serve.signal': ({ signal }: { readonly signal: string }) => `by ${signal}`,
  'serve.not-started': ({ how }: { readonly how: string }) =>
    `A worker ended before it could serve (${how}), and another one would too. See above.`,
  'serve.worker-died': ({
    place,
    pid,
    how,
    waitMs,
  }: {
    readonly place: number
    readonly pid: number
    readonly how: string
    readonly waitMs: number
  }) =>
    `Worker ${place} (process ${pid}) ended ${how}. ` +
    (waitMs === 0 ? 'Another one takes its place.' : `Another one takes its place in ${waitMs / 1_000} s.`),
} satisfies Catalogue

export const serveError = errorsOf(serveWords)
