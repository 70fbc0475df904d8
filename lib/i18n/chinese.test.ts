import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

/* The style of Chinese texts: docs/languages.md, “Words of Chinese”. */

const lib = path.resolve(import.meta.dirname, '..')
const folder = path.join(import.meta.dirname, 'zh-CN')
const sentences = globSync('*.json', { cwd: folder })
  // The demo quotes commands and paths.
  .filter((file) => file !== 'demo.json')
  .flatMap((file) =>
    Object.entries(JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Record<string, string>),
  )
const demo = Object.entries(JSON.parse(readFileSync(path.join(folder, 'demo.json'), 'utf8')) as Record<string, string>)
/** Chinese that is next to its English in code: the descriptions of strategies. */
const beside = globSync(['protocols/*/{index,facts}.ts'], { cwd: lib }).map(
  (file) => [file, readFileSync(path.join(lib, file), 'utf8')] as const,
)
const written = [...sentences, ...demo, ...beside]
/** Keys of the sentences that match the pattern, with the match. */
const holding = (pattern: RegExp, within: readonly (readonly [string, string])[] = sentences): readonly string[] =>
  within.flatMap(([reason, words]) => {
    const found = pattern.exec(words)
    return found ? [`${reason}: ${words.slice(Math.max(0, found.index - 8), found.index + 12)}`] : []
  })

/** Terminology: the term to avoid, and the one to use. */
const terms: readonly (readonly [RegExp, string])[] = [
  [/您|请您/, '你'],
  [/(?<![a-z])Token|(?<!访问|的|错误)令牌/, 'token; 访问令牌 is for getting in'],
  [/沙盒|沙箱盒/, '沙箱'],
  [/工作空间|工作目录/, '工作区'],
  [/提示语|系统提示(?!词)/, '提示词'],
  [/工具呼叫|函数呼叫/, '工具调用'],
  [/调用方式|调用协议/, '调用格式'],
  [/供应商|提供商/, '服务商'],
  [/上下文视窗|上下文长度/, '上下文窗口'],
  [/推理过程|推理内容/, '思考过程'],
  [/帐户|帐号|账号|登陆/, '账户、登录'],
  [/缺省|预设值/, '默认'],
  [/源码/, '源代码'],
  [/伺服器|程式|档案|資|設|網/, '服务器、程序、文件: no Traditional ones'],
  [/许可协议/, '许可证'],
  [/游乐场|演练场/, '试验台'],
  [/告诉模型/, '告知模型'],
  [/载入|刷新/, '加载、重新加载'],
  [/单击|(?<!击)点(?=[“一]|消息)/, '点击'],
  [/(?<!输入|消)消息框|输入栏/, '消息输入框'],
  [/对话协议|工具协议/, '调用格式'],
  [/自有工具/, '自定义工具'],
  [/记住[^，。；]{0,6}选择|(?:存|存的|住的|个)允许/, '保存的授权'],
  [/回车/, 'Enter'],
  [/结局/, '结果、如何结束'],
  [/密封/, '隔离'],
  [/(?<!处)在此不可用/, '此处不可用'],
  [/会话(?!都|已|。)/, '对话; 会话 is of who is signed in'],
  [/别处的对话/, '别处的聊天: of another product'],
]

/** Values that are Chinese words or whole sentences themselves, so they need no space around them. */
const chineseValues = new Set('why,what,span,age,by,marks,problem,back,files,chat,folder,issue,reads,stored'.split(','))

describe('Chinese messages', () => {
  it('are found here', () => {
    expect(sentences.length).toBeGreaterThan(1_500)
    expect(beside.length).toBeGreaterThan(5)
  })

  it.each(terms)('avoid the term %s', (odd) => {
    expect(holding(odd, written)).toEqual([])
  })

  it('have spaces between Chinese and Latin letters or digits, and nowhere else', () => {
    expect(holding(/\p{sc=Han}[A-Za-z0-9`$<]|[A-Za-z0-9%`>]\p{sc=Han}/u)).toEqual([])
    // Search words are a list, not a sentence.
    const apart = holding(/\p{sc=Han} \p{sc=Han}|\s[，。；：？（）、”]|[，。；：？（）、“]\s|\s\s/u)
    expect(apart.filter((one) => !one.startsWith('command.also.'))).toEqual([])
  })

  it('have spaces around values that may be Latin or digits', () => {
    const values = /\p{sc=Han}(?:\{(\w+)(?:, number)?\}|#)|(?:\{(\w+)(?:, number)?\}|#)\p{sc=Han}/gu
    const odd = sentences.flatMap(([reason, words]) =>
      [...words.matchAll(values)].flatMap(([found, after, before]) =>
        chineseValues.has(after ?? before ?? '') ? [] : [`${reason}: ${found}`],
      ),
    )
    expect(odd).toEqual([])
  })

  it('use paired full-width punctuation, no exclamation marks, and one ellipsis character', () => {
    // Punctuation in code, and in ICU syntax, is exempt.
    const plain = sentences.map(([reason, words]) => [reason, words.replaceAll(/'[^']*'|`[^`]*`/g, '')] as const)
    const odd = plain.filter(([, words]) => /\p{sc=Han}\s*[,;:?!()]|[,;?!()]\s*\p{sc=Han}|\.\.\.|。。|！/u.test(words))
    expect(odd).toEqual([])
    const count = (text: string, sign: string) => text.split(sign).length
    for (const [reason, words] of plain) {
      for (const [open, close] of ['“”', '（）', '《》'] as const)
        expect([reason, count(words, open ?? '')]).toEqual([reason, count(words, close ?? '')])
    }
  })
})
