import { makeXlsx } from '@/lib/sandbox/documents/testing/make-office'
import { lines, makePdf } from '@/lib/sandbox/documents/testing/make-pdf'

/* Generated at each run, always the same. */

export const pages = 100
export const rows = 100_000

const words =
  'the order of a customer in the north was sent by the second warehouse after the invoice had been paid'.split(' ')

const sentence = (seed: number): string =>
  Array.from({ length: 14 }, (_, n) => words[(seed * 7 + n * 5) % words.length]).join(' ')

/** A page of 48 lines, about 3,700 characters. */
const pageOf = (page: number) => ({
  content: lines(
    50,
    780,
    Array.from({ length: 48 }, (_, n) => sentence(page * 48 + n)),
  ),
})

const regions = ['north', 'south', 'east', 'west']
const rowOf = (n: number) => [n, `${regions[n % 4]}`, (n * 37) % 1_000, (n % 997) / 8] as const

const cell = (value: string | number) =>
  typeof value === 'number' ? `<c><v>${value}</v></c>` : `<c t="inlineStr"><is><t>${value}</t></is></c>`

export const makeInputs = () => ({
  pdf: makePdf({ pages: Array.from({ length: pages }, (_, page) => pageOf(page)) }),
  csv: new TextEncoder().encode(
    ['id,region,amount,share', ...Array.from({ length: rows }, (_, n) => rowOf(n).join(','))].join('\n'),
  ),
  xlsx: makeXlsx([
    {
      name: 'orders',
      rows: [['id', 'region', 'amount', 'share'], ...Array.from({ length: rows }, (_, n) => rowOf(n))]
        .map((each) => `<row>${each.map(cell).join('')}</row>`)
        .join(''),
    },
  ]),
})
