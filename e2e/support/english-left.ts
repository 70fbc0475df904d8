import type { Page } from '@playwright/test'

/** Names that are the same in every language: products, formats, call formats, tools, skills, keys, settings, models. */
const names =
  /\b(?:Nod|Ollama|OpenAI|LM Studio|llama\.cpp|Chrome|Edge|Chromium|GGUF|GitHub|Claude|ChatGPT|Berkeley|Mermaid|Replay|replay|English|AI|API|JSON(?:_\w+)?|XML_Tag|VCP(?:ToolBox)?|Tool_Action|Native|Schema|Markdown|HTML|SVG|PNG|CSV|PDF|LaTeX|LangChain|Retry-After|JavaScript|TypeScript|Python|Node|SQLite|PostgreSQL|UTC|UTF-8|IndexedDB|HTTPS?|README|zip|cookie|token|worker|diff|action|glob|regex|query|path|show|Corp|null|true|false|auto|rem|Ctrl|Shift|Alt|Enter|Esc|Tab|Home|End|Page(?:Up|Down)|Backspace|Delete|Space|[A-Z]+(?:_[A-Z0-9]+)+|[kKMG]B|ms|[a-z]+(?:_[a-z]+)+|csv-report|pdf-summary|table-check)\b/g

/**
 * Every visible or accessible text on the page that is English, when everything else, including typed text, is Chinese.
 * Ignores code, keys, names in a tree, and foreign text (`lang`, frames, and what `others` selects), and quotations in
 * a sentence.
 */
export async function englishLeft(page: Page, others = ''): Promise<readonly string[]> {
  const texts = await page.evaluate(
    (foreign) => {
      const heard = ['aria-label', 'aria-description', 'aria-valuetext', 'data-tip', 'title', 'placeholder', 'alt']
      const notOurs =
        'code, pre, kbd, textarea, script, style, iframe, [lang]:not(html), .cm-editor, [role=tree]' + foreign
      return [document.documentElement, ...document.body.querySelectorAll('*')].flatMap((element) => {
        if (element.parentElement && element.closest(notOurs) && !element.matches('textarea')) return []
        const own = element.matches('html, textarea')
          ? []
          : [...element.childNodes].flatMap((node) => (node.nodeType === Node.TEXT_NODE ? (node.nodeValue ?? '') : []))
        return [...own, ...heard.flatMap((name) => element.getAttribute(name) ?? [])]
      })
    },
    others === '' ? '' : `, ${others}`,
  )
  return [...new Set([await page.title(), ...texts].filter(isEnglish).map((text) => text.trim().slice(0, 200)))]
}

/** A word of at least three letters that is not a name, with another one beside it or alone; addresses are ignored. */
const isEnglish = (text: string): boolean => {
  const words = text
    .replaceAll(
      /英文原文）：“[^”]*”|“Connect a model”|\bfixture:[\w-]+|\b[\w.+-]+@[\w.-]+|https?:\S+|[\w./*-]*[/.][\w./*-]+|\b(?:localhost|127\.0\.0\.1)\S*/g,
      ' ',
    )
    .replaceAll(names, ' ')
    .match(/[A-Za-z]{3,}/g)
  return words !== null && (words.length > 1 || !/\p{sc=Han}/u.test(text))
}
