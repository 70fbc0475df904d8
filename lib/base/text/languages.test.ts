import { describe, expect, it } from 'vitest'
import { languageAccepted } from './languages'

describe('the language of a reader who chose none', () => {
  it.each([
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh-CN'],
    ['en-US,en;q=0.9,zh-CN;q=0.8', 'en'],
    ['zh-TW,zh;q=0.9', 'zh-CN'],
    ['zh-HK', 'zh-CN'],
    ['zh-Hant-HK, en;q=0.1', 'zh-CN'],
    ['ZH-cn', 'zh-CN'],
    ['de-DE,de;q=0.9,zh;q=0.3,en;q=0.2', 'zh-CN'],
    ['de-DE,de;q=0.9', 'en'],
    ['en;q=0.2, zh;q=0.9', 'zh-CN'],
    ['zh;q=0, en', 'en'],
    ['zh;q=0', 'en'],
    ['zh ; q = 0.4 , en ; q = 0.5', 'en'],
    ['zh;q=nonsense', 'zh-CN'],
    ['zh;q=7, en;q=0.5', 'en'],
    ['*', 'en'],
    [',;,;;q', 'en'],
    ['zhuang', 'en'],
    ['', 'en'],
    [null, 'en'],
  ] as const)('%s: %s', (header, language) => {
    expect(languageAccepted(header)).toBe(language)
  })
})
