import { accountsZh } from './accounts'
import { artifactsZh } from './artifacts'
import { asksZh } from './asks'
import { attachZh } from './attach'
import { bringZh } from './bring'
import { browserModelsZh } from './browser-models'
import { callProblemsZh } from './call-problems'
import { cardEditZh } from './card-edit'
import { cardEvidenceZh } from './card-evidence'
import { cardRunningZh } from './card-running'
import { cardStateZh } from './card-state'
import { cardWaitingZh } from './card-waiting'
import { batchZh } from './card-batch'
import { cardFilesZh } from './card-files'
import { cardFrameZh } from './card-frame'
import { gateZh } from './card-gate'
import { noCallZh } from './card-no-call'
import { settledZh } from './card-settled'
import { cardsZh } from './cards'
import { chatZh } from './chat'
import { listZh } from './chat-list'
import { contextZh } from './context'
import { chatSettingsZh } from './chat-settings'
import { commandsZh } from './commands'
import { exactZh } from './exact'
import { fileChangesZh } from './file-changes'
import { labZh } from './lab'
import { llamaFormZh } from './llama-form'
import { marksZh } from './marks'
import { modelsZh } from './models'
import { outZh } from './out'
import { notifyZh } from './notify'
import { offlineZh } from './offline'
import { pasteZh } from './paste'
import { pathsZh } from './paths'
import { preferencesZh } from './preferences'
import { presetsZh } from './presets'
import { pickerZh } from './picker'
import { placeZh } from './place'
import { readingZh } from './reading'
import { readableZh } from './readable'
import { repairsZh } from './repairs'
import { saidZh } from './said'
import { serverZh } from './server'
import { settingsZh } from './settings'
import { storeZh } from './store'
import { uiControlsZh } from './ui-controls'
import { uiViewsZh } from './ui-views'
import { vfsZh } from './vfs'
import { waitsZh } from './waits'
import { wllamaZh } from './wllama'
import { workspaceZh } from './workspace'
import { zipZh } from './zip'

/** All the rest: what parts that load on need say, and pages beside the chat. */
export const laterWords = {
  ...accountsZh,
  ...artifactsZh,
  ...asksZh,
  ...attachZh,
  ...bringZh,
  ...browserModelsZh,
  ...callProblemsZh,
  ...cardEditZh,
  ...cardEvidenceZh,
  ...cardRunningZh,
  ...cardStateZh,
  ...cardWaitingZh,
  ...batchZh,
  ...cardFilesZh,
  ...cardFrameZh,
  ...gateZh,
  ...noCallZh,
  ...settledZh,
  ...cardsZh,
  ...chatZh,
  ...contextZh,
  ...chatSettingsZh,
  ...commandsZh,
  ...exactZh,
  ...fileChangesZh,
  ...labZh,
  ...listZh,
  ...llamaFormZh,
  ...marksZh,
  ...modelsZh,
  ...outZh,
  ...notifyZh,
  ...offlineZh,
  ...pasteZh,
  ...pathsZh,
  ...readableZh,
  ...preferencesZh,
  ...presetsZh,
  ...pickerZh,
  ...placeZh,
  ...readingZh,
  ...repairsZh,
  ...saidZh,
  ...serverZh,
  ...settingsZh,
  ...storeZh,
  ...uiControlsZh,
  ...uiViewsZh,
  ...vfsZh,
  ...waitsZh,
  ...wllamaZh,
  ...workspaceZh,
  ...zipZh,
}
