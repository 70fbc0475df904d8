// Not `{ z }`: that would bring the messages of all languages into the entry that supervises.
import * as z from 'zod'
import { err, ok, type Result } from '@/lib/base/result'

const MAX_HOPS = 16
const words: Readonly<Record<string, number>> = { on: 1, true: 1, yes: 1, off: 0, false: 0, no: 0 }
const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])
/** This machine's own addresses: a proxy beside the server. */
const loopback = ['127.0.0.0/8', '::1/128']

/** `2` is two proxies one after the other, `loopback, 10.0.0.0/8` those networks. The error is the part that is neither. */
export function readProxies(text: string): Result<number | readonly string[], string> {
  const word = text.toLowerCase()
  if (Object.hasOwn(words, word)) return ok(words[word] ?? 0)
  if (/^\d+$/.test(text)) return Number(text) <= MAX_HOPS ? ok(Number(text)) : err(text)
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .flatMap((part) => (part.toLowerCase() === 'loopback' ? loopback : [part]))
  const wrong = parts.find((part) => !network.safeParse(part).success)
  return wrong === undefined && parts.length > 0 ? ok(parts) : err(wrong ?? text)
}
