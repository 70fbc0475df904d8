import type { Translated } from '@/lib/base/reader'

export const toolSummariesZh: Readonly<Record<string, Translated>> = {
  'tool.loads': '首次使用时需加载 {size} MB。',
  'tool.imported': '它随导入的对话而来：告知模型的说明由写那个文件的人决定。',
  'tool.damaged': '模型会得知一个参数不明的工具。',
  'tool.list': '列出文件夹 {path}',
  'tool.read':
    '读取 {path}{lines, select, all {} from {，从第 {from, number} 行起} other {，第 {from, number} 至 {to, number} 行}}{character, plural, =1 {} other {，从第 {character, number} 个字符起}}',
  'tool.write':
    '将 {size, bytes} 写入 {path}{there, select, unknown {} nothing {（新文件）} folder {。已有同名文件夹，因此会失败} other {，替换 {old, bytes} 的文件}}',
  'tool.edit': '编辑 {path}',
  'tool.edit-changes':
    '编辑 {path}：{count, number} 处修改{trouble, select, none {} missing {。没有这个文件，因此会失败} folder {。那是一个文件夹，因此会失败} other {。按文件现在的内容会失败：{why}}}',
  'tool.delete':
    '删除 {path}{what, select, unknown {} root {。根文件夹不能删除，因此会失败} nothing {。没有这个名称的文件或文件夹，因此会失败} file {（{size, bytes} 的文件）} empty {（没有文件的文件夹）} other {（{files, number} 个文件，{size, bytes}）}}',
  'tool.move':
    '将 {from} 移动到 {to}{what, select, unknown {} nothing {。没有这个名称的文件或文件夹，因此会失败} on_file {。那里已有文件，因此会失败} on_folder {。那里已有文件夹，因此会失败} file {（{size, bytes} 的文件）} empty {（没有文件的文件夹）} other {（{files, number} 个文件，{size, bytes}）}}',
  'tool.time': '告知此设备的日期、时间和时区',
  'tool.time-in': '告知 {zone} 的日期和时间',
  'tool.files': '{place, select, all {列出文件} other {列出 {folder} 中的文件}}',
  'tool.files-like': '{place, select, all {列出文件 {glob}} other {列出 {folder} 中的文件 {glob}}}',
  'tool.search':
    '在{place, select, all {文件} other { {folder} 的文件}}中搜索{how, select, pattern {匹配的行} other {文本}} {query}',
  'tool.search-like':
    '在{place, select, all {文件} other { {folder} 的文件}} {glob} 中搜索{how, select, pattern {匹配的行} other {文本}} {query}',
  'tool.ask': '向你提一个问题',
  'tool.chart': '显示一张图表',
  'tool.chart-of': '显示 {path} 的图表',
  'tool.show': '显示 {path}',
  'tool.show-file': '显示一个文件',
  'tool.show-chart-in': '绘制 {path} 中的图表',
  'tool.show-table': '以表格显示 {path}',
  'tool.show-page-in': '显示 {path} 中的 HTML 页面',
  'tool.show-svg-in': '显示 {path} 中的 SVG',
  'tool.show-large': '以表格、图表或 JSON 显示 {path}。文件太大，无法在此预先读取',
  'tool.show-broken': '显示 {path}。它不是有效的 JSON，因此会失败',
  'tool.code': '{lines, number} 行 {language}',
  'tool.run-code': '运行 {lines, number} 行 {language}',
  'tool.yours': '由你自己的服务器执行 {name}，参数如下',
  'tool.yours-called': '由你自己的服务器执行 {name}（它称之为 {title}），参数如下',
  'tool.would-go': '将被删除的文件',
  'tool.would-move': '将被移动的文件',

  'tool.edits': '{count, number} 处修改{now, select, same {} utf8 {，现以 UTF-8 写入} other {，编码为 {encoding}}}',
  'tool.entries': '{count, number} 项',
  'tool.matches': '{count, number} 处匹配',
  'tool.found-files': '{count, number} 个文件',

  'tool.no-change': '{of, plural, =1 {} other {第 {number, number} 处修改}}没有改变任何内容',
  'tool.often':
    '{of, plural, =1 {要修改的文本} other {第 {number, number} 处要修改的文本}}在文件中出现了 {times, plural, =20 {20 次或更多} other {# 次}}，{where, select, line {都在第 {last, number} 行} more {在第 {before, list}、{last, number} 行等处} other {在第 {before, list}、{last, number} 行}}',
  'tool.gone': '{of, plural, =1 {要修改的文本} other {第 {number, number} 处要修改的文本}}在之前的修改之后已不存在',
  'tool.not-there':
    '{of, plural, =1 {要修改的文本} other {第 {number, number} 处要修改的文本}}不在文件中{near, select, no {} other {（最接近的在第 {line, number} 行）}}',
}
