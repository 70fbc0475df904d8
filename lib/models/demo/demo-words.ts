import type { JsonObject } from '@/lib/base/json'
import type { Language } from '@/lib/base/languages'
import { sayMessage } from '@/lib/base/message'

/*
 * What the script says, in the languages that it is spoken to: it answers whoever writes Chinese in Chinese. Calls, paths and
 * commands are the same in both.
 */
const words = {
  tools_off: {
    en: 'Tools are off in this chat, so I can only talk. I am a script: with tools on I would write {calls} for you. You can turn tools on in the settings of this chat.',
    'zh-CN':
      '此对话关闭了工具，所以我只能说话。我是一段脚本：打开工具后，我会为你写出{calls}。你可以在此对话的设置中打开工具。',
  },
  not_offered: {
    en: 'For this I need {calls}, and it is not offered to me in this chat. I am a script and know no other way. You can offer it in the settings of this chat.',
    'zh-CN': '这需要{calls}，而此对话没有向我提供它。我是一段脚本，不知道别的办法。你可以在此对话的设置中提供它。',
  },
  call: { en: 'a call to `{name}`', 'zh-CN': '对 `{name}` 的调用' },
  demo: { en: 'I am a demo, a script and not an AI.', 'zh-CN': '我是演示模型，是一段脚本，不是 AI。' },
  no_answer: {
    en: 'I am a demo, a script and not an AI, so I can’t answer that.',
    'zh-CN': '我是演示模型，是一段脚本，不是 AI，所以无法回答这个问题。',
  },
  try: {
    en: 'Say `help` to see what I know, or try “{usage}”. For real answers, choose a real model in the list above.',
    'zh-CN':
      '输入 `help` 看看我会什么，或试试“做一个小的订单表，并按月汇总”。想得到真正的回答，请在上方列表中选择真正的模型。',
  },
  table: {
    en: 'I am a script and know this one by heart: first I write a small table of orders, then code adds them up per month. Nothing happens until you click Run.',
    'zh-CN':
      '我是一段脚本，这件事我背得很熟：先写一个小的订单表，再用代码按月汇总。在你点击“运行”之前，什么都不会发生。',
  },
  table_written: {
    en: 'The table is written to `/orders.csv`. Now the totals:',
    'zh-CN': '表格已写入 `/orders.csv`。现在来汇总：',
  },
  code_ran: { en: 'The code ran.', 'zh-CN': '代码已运行。' },
  table_best: {
    en: 'The strongest month is **{month}** with {total}: the totals stand in the card above, the orders in `/orders.csv`.',
    'zh-CN': '最好的月份是 **{month}**，合计 {total}：汇总在上方的卡片中，订单在 `/orders.csv` 中。',
  },
  list: {
    en: 'A packing list for a weekend, as a script remembers it. It goes to `{path}`:',
    'zh-CN': '一份周末的行李清单，来自脚本的记忆。它会保存到 `{path}`：',
  },
  list_written: {
    en: 'The list is in `{path}`: ten things, in three groups. Say `read {path}` and I show it to you.',
    'zh-CN': '清单在 `{path}` 中：十件东西，分成三组。输入 `read {path}`，我就给你看。',
  },
  look: {
    en: 'I am a script, but I can look: first the list, then the first file in it.',
    'zh-CN': '我是一段脚本，但我可以看看：先列出文件，再读取第一个。',
  },
  look_none: {
    en: 'There is no file here yet, so there is nothing to read. Say “Draft a packing list as /notes/list.md”, and there will be a folder with one.',
    'zh-CN':
      '这里还没有文件，所以没有可读的。试试“起草一份行李清单，保存为 /notes/list.md”，就会有一个文件夹和一个文件。',
  },
  look_first: { en: 'The first file is `{path}`. Reading it:', 'zh-CN': '第一个文件是 `{path}`。正在读取：' },
  look_done: {
    en: 'That was all I had to do: {lines, plural, =0 {what came back stands} one {# line of the file, which you see} other {# lines of the file, which you see}} in the card above.',
    'zh-CN': '我要做的就是这些：{lines, plural, =0 {返回的内容} other {文件的 # 行内容}}显示在上方的卡片中。',
  },
  dice: {
    en: 'Dice are something that a script cannot foresee, so code has to roll them. It runs in your browser, away from this page and without a network:',
    'zh-CN': '骰子的结果脚本无法预知，所以要用代码来掷。代码在你的浏览器中运行，与此页面隔离，也没有网络：',
  },
  dice_best: {
    en: 'The dice have fallen, and {sum} came most often: {times, plural, one {# time} other {# times}}, as the chart shows.',
    'zh-CN': '骰子已经掷完，{sum} 出现得最多：{times, number} 次，如图所示。',
  },
  page: {
    en: 'A small page, as a script remembers it: its text, its looks and its button in three files. You see each of them before anything is written; Run all writes them.',
    'zh-CN':
      '一个小网页，来自脚本的记忆：文字、样式和按钮分成三个文件。写入之前，每个文件你都能看到；点击“全部运行”即可写入。',
  },
  page_written: {
    en: 'The page is in `{path}`, with its style sheet and its script beside it. **Run this page**, under the calls above, starts it beside the chat in a sealed frame. Then try “edit /page/style.css: #3b6ea5 => #2f7d4f”, and watch it change.',
    'zh-CN':
      '网页在 `{path}` 中，样式表和脚本在它旁边。上方调用下面的“**运行此网页**”会在对话旁的隔离框架中启动它。然后试试“edit /page/style.css: #3b6ea5 => #2f7d4f”，看它变化。',
  },
  weekend: {
    en: 'A script can’t guess where you want to go, so it asks. Fill in what you like, or say that you won’t.',
    'zh-CN': '脚本猜不到你想去哪里，所以先问一问。按你的想法填写，也可以选择不回答。',
  },
  weekend_question: { en: 'Where shall the weekend go?', 'zh-CN': '周末想去哪里？' },
  weekend_sea: { en: 'To the sea', 'zh-CN': '海边' },
  weekend_mountains: { en: 'Into the mountains', 'zh-CN': '山里' },
  weekend_city: { en: 'Into a city', 'zh-CN': '城市' },
  weekend_nights: { en: 'Nights', 'zh-CN': '住几晚' },
  weekend_children: { en: 'With children', 'zh-CN': '带孩子' },
  weekend_written: {
    en: 'Your answer reached me, and this is a plan made of it and of nothing else. It goes to `{path}`:',
    'zh-CN': '收到了你的回答，这份计划只依据它写成。它会保存到 `{path}`：',
  },
  weekend_plan: {
    en: '# A weekend\n\n- where: {where}\n- nights: {nights}\n- children: {children, select, yes {come along} other {stay at home}}\n',
    'zh-CN':
      '# 周末\n\n- 去哪里：{where}\n- 住几晚：{nights}\n- 孩子：{children, select, yes {一起去} other {留在家}}\n',
  },
  weekend_done: {
    en: 'The plan is in `{path}`. Change it as you like: I have no opinion on weekends.',
    'zh-CN': '计划在 `{path}` 中。想怎么改都可以：我对周末没有意见。',
  },
  completed: { en: '{tool} is done and gave back {what}.', 'zh-CN': '{tool} 已完成，返回了 {what}。' },
  items: { en: '{count, plural, one {# item} other {# items}}', 'zh-CN': '{count, number} 项' },
  items_in: {
    en: '{count, plural, one {# item} other {# items}} in `{name}`',
    'zh-CN': '`{name}` 中的 {count, number} 项',
  },
  values: { en: '{count, plural, one {# value} other {# values}}', 'zh-CN': '{count, number} 个值' },
  lines: { en: '{count} lines of text', 'zh-CN': '{count} 行文字' },
  characters: {
    en: 'a text of {count, plural, one {# character} other {# characters}}',
    'zh-CN': '{count, number} 个字符的文字',
  },
  result_rejected: {
    en: '{tool} ran, and you kept its result{reason, select, empty {} other {: “{reason}”}}. I go on without it: tell me what you want next.',
    'zh-CN':
      '{tool} 已运行，但你没有交出它的结果{reason, select, empty {} other {：“{reason}”}}。我会在没有它的情况下继续：请告诉我接下来做什么。',
  },
  execution_rejected: {
    en: 'You denied {tool}{reason, select, empty {} other {: “{reason}”}}. Nothing ran, and I take that as your decision. Tell me what to do instead.',
    'zh-CN':
      '你拒绝了 {tool}{reason, select, empty {} other {：“{reason}”}}。没有运行任何内容，我尊重你的决定。请告诉我改做什么。',
  },
  error: {
    en: '{tool} failed{reason, select, empty {.} other {: {reason}}} I can try again with something else: say `list files` to see what there is.',
    'zh-CN':
      '{tool} 失败了{reason, select, empty {。} other {：{reason}}} 我可以换别的再试：输入 `list files` 看看有什么。',
  },
  not_found: {
    en: 'There is no tool {tool} here{reason, select, empty {.} other {: {reason}}} I should have used one of the tools that I was given.',
    'zh-CN': '这里没有工具 {tool}{reason, select, empty {。} other {：{reason}}} 我本该使用提供给我的工具之一。',
  },
  cancelled: {
    en: 'You stopped {tool}{reason, select, empty {.} other {: {reason}}} `list files` shows what is there.',
    'zh-CN': '你停止了 {tool}{reason, select, empty {。} other {：{reason}}} 输入 `list files` 可查看现有内容。',
  },
  interrupted: {
    en: '{tool} was cut off by a reload. It may have done a part of its work; `list files` shows what is there.',
    'zh-CN': '{tool} 因重新加载而中断。它可能已完成一部分工作；输入 `list files` 可查看现有内容。',
  },
  unfinished: {
    en: '{tool} had not come back when you wrote on. When I hear how it ended, I can go on with it.',
    'zh-CN': '你继续写的时候 {tool} 还没有返回。等我知道它的结果，就可以接着做。',
  },
  name_table: { en: 'Orders per month', 'zh-CN': '按月汇总订单' },
  name_list: { en: 'Packing list for a weekend', 'zh-CN': '周末行李清单' },
  name_look: { en: 'A look at the files', 'zh-CN': '看看文件' },
  name_dice: { en: 'A thousand dice', 'zh-CN': '一千次骰子' },
  name_other: { en: 'A chat with a script', 'zh-CN': '与脚本的对话' },
  skipped: { en: 'You went on without {tool}, so it did not run.', 'zh-CN': '你跳过了 {tool}，所以它没有运行。' },
} as const satisfies Readonly<Record<string, Readonly<Record<Language, string>>>>

export type DemoWord = keyof typeof words

export const demoSays = (language: Language, word: DemoWord, values: JsonObject = {}): string =>
  sayMessage(words[word][language], values, language) ?? word

/** The language that somebody writes: a word of Chinese makes it that. */
export const isChinese = (text: string): boolean => /\p{sc=Han}/u.test(text)

/** For tests: every sentence in both. */
export const demoWords: Readonly<Record<string, Readonly<Record<Language, string>>>> = words
