import { errorsOf, type Catalogue } from '@/lib/base/catalogue'

/** What whoever runs the server reads of its processes, and of settings that cannot be followed. */
export const serveWords = {
  'serve.port': ({ value }: { readonly value: string }) => `PORT must be a number from 1 to 65535, not “${value}”.`,
  'serve.workers': ({ value }: { readonly value: string }) =>
    `NOD_WORKERS must be a number from 1 to 256, or auto for one a core, not “${value}”.`,
  'serve.proxy': ({ part }: { readonly part: string }) =>
    `NOD_TRUST_PROXY must be how many proxies stand in front (1), or their networks by commas (loopback, 10.0.0.0/8); “${part}” is neither.`,
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
