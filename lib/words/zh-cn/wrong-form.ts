/** What is wrong at a place of some data: `../wrong-form.ts`. */
export const wrongFormWordsZh =
  '{is, select, type {类型应为{wanted, select, string {文本} number {数字} int {整数} boolean { true 或 false} array {列表} object {对象} record {对象} other { {wanted}}}} large {超过了 {bound}{wanted, select, string { 个字符} array { 项} other {}}} small {少于 {bound}{wanted, select, string { 个字符} array { 项} other {}}} choice {应为 {wanted} 之一} unknown {没有名为 {wanted} 的项} other {{problem}}}'
