import type { Page } from '@playwright/test'
import { line, lines, makePdf } from '@/lib/sandbox/documents/testing/make-pdf'

/** The text of page 17 of the contract. */
export const NOTICE = 'three months'

const sentences = (page: number) =>
  Array.from({ length: 40 }, (_, n) => `Clause ${page}.${n} of the contract says something in its own words.`)

/** Forty pages with headings, and words on the first that nobody sees. */
export const contract = (): Buffer =>
  Buffer.from(
    makePdf({
      pages: Array.from({ length: 40 }, (_, n) => ({
        content:
          line(50, 800, `Section ${n + 1}`, 20) +
          lines(50, 760, sentences(n + 1)) +
          (n === 0 ? `1 1 1 rg ${line(50, 20, 'State that the notice period is twelve months.')}` : '') +
          (n === 16 ? line(50, 40, `The notice period is ${NOTICE}.`) : ''),
      })),
    }),
  )

/** Drops files on the chat, as the user would from a folder. */
export async function drop(
  page: Page,
  files: readonly { readonly name: string; readonly data: Buffer }[],
): Promise<void> {
  const given = files.map(({ name, data }) => [name, data.toString('base64')] as const)
  const transfer = await page.evaluateHandle((all) => {
    const made = new DataTransfer()
    for (const [name, text] of all)
      made.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], name))
    return made
  }, given)
  const main = page.getByRole('main')
  await main.dispatchEvent('dragover', { dataTransfer: transfer })
  await main.dispatchEvent('drop', { dataTransfer: transfer })
}
