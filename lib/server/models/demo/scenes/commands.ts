import { ask, text } from '../scene'
import type { Scene } from '../scene'
import { lastRound, describeResults, demoReplies, type DemoText } from '../turn'
import type { Turn } from '../turn'
import type { JsonObject } from '@/lib/base/json'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'

/** A scene of one round: calls, then a sentence about their results. */
const once = (turn: Turn, word: DemoText, values: JsonObject, calls: readonly CallToWrite[]) =>
  turn.rounds.length === 0
    ? ask(turn, demoReplies(turn.language, word, values), calls)
    : text(describeResults(lastRound(turn), turn.language))

/** Short commands, each of which uses tools in one way. */
export const commandScenes: readonly Scene[] = [
  {
    usage: 'list files [PATH]',
    summary: 'about_list',
    matches:
      /^(?:please )?(?:list|ls|show)(?: (?:the|all|my))?(?: files| folder)?(?: (?:in|of|at))?(?: (\/\S*))?[.!?]?$/i,
    play: (turn, [, path = '/']) => once(turn, 'do_list', { path }, [{ name: 'list_directory', arguments: { path } }]),
  },
  {
    usage: 'read PATH',
    summary: 'about_read',
    matches: /^(?:please )?(?:read|open|cat)(?: the file)? (\/?\S+?)[.!?]?$/i,
    play: (turn, [, path = '']) =>
      once(turn, 'do_read', { path: absolute(path) }, [{ name: 'read_file', arguments: { path: absolute(path) } }]),
  },
  {
    usage: 'write PATH: TEXT',
    summary: 'about_write',
    matches: /^(?:please )?write (\/?[^\s:]+)(?::[ \t]*|[ \t]*\n)([\s\S]+)$/i,
    play: (turn, [, path = '', content = '']) =>
      once(turn, turn.task.includes(content) ? 'do_write' : 'do_write_own', { path: absolute(path) }, [
        { name: 'write_file', arguments: { path: absolute(path), content } },
      ]),
  },
  {
    usage: 'edit PATH: OLD => NEW',
    summary: 'about_edit',
    matches: /^(?:please )?edit(?: the file)? (\/?[^\s:]+):\s*([\s\S]+?)\s*=>[ \t]*([\s\S]*)$/i,
    play: (turn, [, path = '', search = '', replace = '']) =>
      once(turn, 'do_edit', { path: absolute(path) }, [
        { name: 'edit_file', arguments: { path: absolute(path), edits: [{ search, replace }] } },
      ]),
  },
  {
    usage: 'move PATH to TARGET',
    summary: 'about_move',
    matches: /^(?:please )?(?:move|rename)(?: the (?:file|folder))? (\/?\S+) to (\/?\S+?)[.!?]?$/i,
    play: (turn, [, from = '', to = '']) =>
      once(turn, 'do_move', { from: absolute(from), to: absolute(to) }, [
        { name: 'move_path', arguments: { from: absolute(from), to: absolute(to) } },
      ]),
  },
  {
    usage: 'delete PATH',
    summary: 'about_delete',
    matches: /^(?:please )?(?:delete|remove)(?: the (?:file|folder))? (\/\S*?)[.!?]?$/i,
    play: (turn, [, path = '']) => once(turn, 'do_delete', { path }, [{ name: 'delete_path', arguments: { path } }]),
  },
  {
    usage: 'search for TEXT',
    summary: 'about_search',
    matches: /^(?:please )?(?:search(?: (?:the|all|my) files)? for|grep) ["“'`]?(.+?)["”'`]?[.!?]?$/i,
    play: (turn, [, query = '']) =>
      once(turn, 'do_search', { query }, [{ name: 'search_files', arguments: { query } }]),
  },
  {
    usage: 'compute EXPRESSION',
    summary: 'about_compute',
    matches: /^(?:please )?(?:compute|calculate|eval|run code:?)\s+([\s\S]+)$/i,
    play: (turn, [, expression = '']) =>
      once(turn, 'do_compute', {}, [{ name: 'browser_js_eval', arguments: { code: codeOf(expression) } }]),
  },
  {
    usage: 'what time is it',
    summary: 'about_time',
    matches:
      /^(?:please )?(?:tell me )?what(?:’s|'s| is)?(?: the)? (?:current )?time(?: is it| it is)?(?: in (\S.*?))?[?.!]*$/i,
    play: (turn, [, zone]) =>
      once(turn, 'do_time', {}, [{ name: 'get_time', arguments: zone === undefined ? {} : { time_zone: zone } }]),
  },
  {
    usage: 'remember TEXT',
    summary: 'about_remember',
    matches: /^(?:please )?remember(?: that|:)? (\S[\s\S]*)$/i,
    play: (turn, [, add = '']) => once(turn, 'do_remember', {}, [{ name: 'edit_memory', arguments: { add } }]),
  },
  {
    usage: 'draw a chart',
    summary: 'about_show',
    matches: /^(?:please )?(?:draw|show|plot)(?: me)? (?:a|the) (?:bar )?chart[.!?]?$/i,
    play: (turn) =>
      once(turn, 'do_show', { count: demoChart.data.values.length }, [
        { name: 'show', arguments: { title: 'Five numbers', chart: demoChart } },
      ]),
  },
  {
    usage: 'several calls',
    summary: 'about_several',
    matches: /\b(?:several|three|3|some|multiple) calls\b/i,
    play: (turn) => once(turn, 'do_several', { count: threeCalls.length }, threeCalls),
  },
]

const threeCalls: readonly CallToWrite[] = [
  { name: 'write_file', arguments: { path: '/notes/three.md', content: '# Three\n\nThe first of three calls.\n' } },
  { name: 'list_directory', arguments: { path: '/' } },
  { name: 'browser_js_eval', arguments: { code: 'return [1, 2, 3].map((n) => n ** 2)' } },
]

const demoChart = {
  data: { values: [8, 5, 13, 3, 21].map((count, at) => ({ day: `Day ${at + 1}`, count })) },
  mark: 'bar',
  encoding: { x: { field: 'day' }, y: { field: 'count', type: 'quantitative' } },
}

const absolute = (path: string): string => (path.startsWith('/') ? path : `/${path}`)

/** A single expression is returned; longer code runs unchanged. */
const codeOf = (expression: string): string =>
  /[;\n]|\b(?:return|const|let|var|for|while|if)\b/.test(expression) ? expression : `return ${expression}`
