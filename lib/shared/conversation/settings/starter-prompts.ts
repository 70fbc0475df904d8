import type { Language } from '@/lib/base/text/languages'

export interface StarterPrompt {
  /** Also the id of the preset that it becomes when it is used. */
  readonly id: string
  readonly name: string
  readonly prompt: string
}

type Texts = Readonly<Record<Language, readonly [name: string, prompt: string]>>

/** Written for the built-in tools: files of the chat, sealed code, `show`, `ask_user`. */
const texts: Readonly<Record<string, Texts>> = {
  'starter-summarise': {
    en: [
      'Summarise',
      'Summarise {{file or text}}. If it is a file of this chat, read it first.\n\nGive the main point in one sentence, then at most five bullet points, then open questions.',
    ],
    'zh-CN': [
      '总结',
      '请总结{{文件或文本}}。如果它是此对话中的文件，请先读取。\n\n先用一句话说明要点，再列出最多五条，最后列出尚未解决的问题。',
    ],
  },
  'starter-explain': {
    en: [
      'Explain',
      'Explain {{topic}} to {{reader}}. Start with one everyday example, then the idea behind it, then one common mistake.',
    ],
    'zh-CN': ['解释', '请向{{读者}}解释{{主题}}。先举一个日常例子，再说明原理，最后指出一个常见误解。'],
  },
  'starter-rewrite': {
    en: [
      'Rewrite',
      'Rewrite the text below for {{reader}}. Keep every fact. Use short sentences and active verbs. Then list what you changed and why.\n\n{{text}}',
    ],
    'zh-CN': [
      '改写',
      '请把下面的文字改写给{{读者}}看。保留所有事实，句子要短，多用主动句。然后列出改了什么以及原因。\n\n{{文本}}',
    ],
  },
  'starter-translate': {
    en: [
      'Translate',
      'Translate {{file or text}} into {{language}}. If it is a file, read it and write the translation beside it with the language in its name. Keep names, numbers and formatting.',
    ],
    'zh-CN': [
      '翻译',
      '请把{{文件或文本}}翻译成{{语言}}。如果是文件，请先读取，再把译文写到旁边的新文件，文件名中注明语言。保留名称、数字和格式。',
    ],
  },
  'starter-analyse-table': {
    en: [
      'Analyse a table',
      'Look at the table {{file}}. Read its first lines, then use code to check it: rows, columns, missing values, duplicates. Answer: {{question}}\n\nShow the result as a table or chart, and say what the data cannot tell.',
    ],
    'zh-CN': [
      '分析表格',
      '请查看表格{{文件}}。先读取前几行，再用代码检查行数、列、缺失值和重复值。请回答：{{问题}}\n\n用表格或图表展示结果，并说明这些数据无法说明什么。',
    ],
  },
  'starter-calculate': {
    en: [
      'Calculate',
      'Work this out with code, not in your head: {{problem}}\n\nPrint the steps, check the result in a second way, and state what you assumed.',
    ],
    'zh-CN': ['计算', '请用代码计算，不要心算：{{问题}}\n\n输出步骤，用另一种方法验证结果，并说明所做的假设。'],
  },
  'starter-web-page': {
    en: [
      'Make a web page',
      'Make a small web page: {{what it shows}}. Write it as one HTML file with its CSS and script inside, without anything from the network. Then show it.',
    ],
    'zh-CN': [
      '制作网页',
      '请制作一个小网页：{{内容}}。写成一个 HTML 文件，CSS 和脚本都放在里面，不使用网络资源，然后展示它。',
    ],
  },
  'starter-review-code': {
    en: [
      'Review code',
      'Review {{file}}. Read it whole. List real problems first (wrong results, lost data, security), each with its line and a fix; then what is hard to read. If there is nothing serious, say so. Change nothing yet.',
    ],
    'zh-CN': [
      '检查代码',
      '请检查{{文件}}，并完整阅读。先列出真正的问题（结果错误、数据丢失、安全），注明行号和修复方法；再列出难读之处。没有严重问题就直说。先不要修改。',
    ],
  },
  'starter-plan': {
    en: [
      'Plan a task',
      'Help me plan: {{goal}}. First ask me up to three questions that would change the plan. Then write the plan to /plan.md: steps in order, what each needs, and how to see that it is done.',
    ],
    'zh-CN': [
      '制定计划',
      '请帮我制定计划：{{目标}}。先问我最多三个会影响计划的问题，然后把计划写入 /plan.md：按顺序列出步骤、每步需要什么，以及如何确认完成。',
    ],
  },
  'starter-tidy-files': {
    en: [
      'Tidy files',
      'List the files of this chat and look into those whose names say little. Suggest folders and better names as a table. Move nothing until I agree.',
    ],
    'zh-CN': [
      '整理文件',
      '请列出此对话中的文件，查看名称不清楚的文件。用表格建议文件夹和更好的名称。在我同意之前不要移动任何文件。',
    ],
  },
}

export const starterPrompts = (language: Language): readonly StarterPrompt[] =>
  Object.entries(texts).map(
    ([
      id,
      {
        [language]: [name, prompt],
      },
    ]) => ({ id, name, prompt }),
  )

/** `{{name}}`, spaces around the name allowed. Names are on one line and have no braces. */
const variable = /\{\{[ \t]*([^{}\n\r]{1,60}?)[ \t]*\}\}/gu

/** The variables of a prompt, each once, in the order of the text. */
export const variablesOf = (prompt: string): readonly string[] => [
  ...new Set([...prompt.matchAll(variable)].map(([, name = '']) => name)),
]

/** The prompt with its variables replaced by values; one without a value stays as it is. */
export const fillVariables = (prompt: string, values: Readonly<Record<string, string>>): string =>
  prompt.replaceAll(variable, (written, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : written))
