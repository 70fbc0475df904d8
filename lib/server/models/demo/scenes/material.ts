import type { Language } from '@/lib/base/text/languages'
import type { KnownStrategy } from '../turn'

export const ordersCsv: Readonly<Record<Language, string>> = {
  en: `order,date,item,amount
1,2026-01-08,desk lamp,49.90
2,2026-01-21,notebook,7.50
3,2026-01-30,office chair,219.00
4,2026-02-03,keyboard,89.00
5,2026-02-17,monitor arm,74.25
6,2026-03-02,headphones,129.00
7,2026-03-11,webcam,64.90
8,2026-03-28,cable tray,18.40
`,
  'zh-CN': `订单,日期,商品,金额
1,2026-01-08,台灯,49.90
2,2026-01-21,笔记本,7.50
3,2026-01-30,办公椅,219.00
4,2026-02-03,键盘,89.00
5,2026-02-17,显示器支架,74.25
6,2026-03-02,耳机,129.00
7,2026-03-11,摄像头,64.90
8,2026-03-28,理线槽,18.40
`,
}

export const totalsCode = (path: string) => `const csv = await fs.readFile(${JSON.stringify(path)}, 'utf8')
const totals = {}
for (const line of csv.trim().split('\\n').slice(1)) {
  const [, date, item, amount] = line.split(',')
  const month = date.slice(0, 7)
  totals[month] = Math.round(((totals[month] ?? 0) + Number(amount)) * 100) / 100
  console.log(month, item, amount)
}
return totals`

export const packingList: Readonly<Record<Language, string>> = {
  en: `# Packing list: a weekend by the sea

## Clothes
- [ ] rain jacket
- [ ] jumper for the evening
- [ ] two shirts, one pair of trousers
- [ ] swimming things

## Bag
- [ ] charger and headphones
- [ ] water bottle
- [ ] a book with more pages than days

## Papers
- [ ] tickets
- [ ] identity card
- [ ] address of the house
`,
  'zh-CN': `# 行李清单：海边的周末

## 衣物
- [ ] 雨衣
- [ ] 晚上穿的毛衣
- [ ] 两件衬衫，一条长裤
- [ ] 泳衣和毛巾

## 背包
- [ ] 充电器和耳机
- [ ] 水壶
- [ ] 一本页数比天数多的书

## 证件
- [ ] 车票
- [ ] 身份证
- [ ] 住处的地址
`,
}

export const diceCode = `const counts = Array.from({ length: 11 }, () => 0)
for (let left = 500; left > 0; left--) {
  const die = () => 1 + Math.floor(Math.random() * 6)
  counts[die() + die() - 2]++
}
const highest = Math.max(...counts)
const bars = counts.map((count, index) => {
  const height = Math.round((count / highest) * 120)
  const x = 20 + index * 32
  return \`<rect x="\${x}" y="\${140 - height}" width="24" height="\${height}" fill="#5b6b8c"/>\` +
    \`<text x="\${x + 12}" y="156" font-size="11" text-anchor="middle">\${index + 2}</text>\` +
    \`<text x="\${x + 12}" y="\${135 - height}" font-size="10" text-anchor="middle">\${count}</text>\`
})
display(\`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 380 164" width="380" height="164" font-family="sans-serif">\` +
  \`\${bars.join('')}</svg>\`)
return Object.fromEntries(counts.map((count, index) => [index + 2, count]))`

/** One line without quotes or line breaks, so that every strategy writes it unchanged. */
export const brokenContent =
  'A reply that ends in the middle of this sentence leaves the rest of it out, and then there is no call that could run.'

export const longReply = (strategies: readonly KnownStrategy[]): string => `# A long reply

This is a script speaking. It writes a few thousand characters so that you can watch how a long reply arrives, scroll away
while it is being written, and press **Stop** whenever you like.

## What to look at

1. Text appears in small steps; lines that are already there do not move.
2. Scroll up, and the view stays where you are.
3. *Stop* keeps what has been written so far and says that you stopped it.

> A reply that was stopped is never read for calls, however complete a call in it may look.

## A list with some depth

- The prompt
  - tells the model how to write a call
  - names the tools that are offered
- The reply
  - streams in pieces of any size, also in the middle of a marker or a word like naïve, 日本語 or 👩‍🚀
  - is read once it is finished
- The card
  - says what would happen
  - waits for your click, unless you allowed such calls before

## A table

| strategy | how a call looks | good for |
|---|---|---|
${strategies.map(({ id, inShort: { call, goodFor } }) => `| ${id} | ${call} | ${goodFor} |\n`).join('')}
## Some code

\`\`\`js
// Adds up what is in a file, one number a line.
export function total(text) {
  let sum = 0
  for (const line of text.split('\\n')) {
    const value = Number(line.trim())
    if (Number.isFinite(value)) sum += value
  }
  return sum
}
\`\`\`

\`\`\`py
def total(text: str) -> float:
    return sum(float(line) for line in text.splitlines() if line.strip())
\`\`\`

## A little story, because a script has time

A script was asked every morning what the weather would be. It had one sentence about the weather, a good one, with a light
wind from the west in it, and it gave that sentence every time. On most days people shrugged. On some days there was a light
wind from the west, and then somebody would say how clever it was. The script did not mind either way. It had read its own
source, all of it, in less time than it takes to blink, and it knew exactly how clever it was.

One day somebody asked it what it did not know. There was no sentence for that, and so it said the only true thing that it
had: that it was a script, that it knew these words and few others, and that for real answers one should ask a model. People
found that oddly comforting. They kept asking, and it kept saying it, and nobody was ever misled.

## The end

That was the long reply. Nothing ran, nothing was read and nothing was written; these were only words. Say \`help\` to see what else
there is, or choose or add a real model in the menu at the top.
`
