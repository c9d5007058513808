import { changeViews, column, eachItem } from '../view-change.ts'

const url = `'https://files.example/' || (item ->> 'id')`

const items = (item: string) => column('v_bioprocesses', 'attachments', (own) => eachItem(own, item))

export const attachmentsShape = changeViews('attachments.shape', {
  'file-metadata': undefined,
  url: items(`to_jsonb(${url})`),
  'id-name-url': items(`jsonb_build_object('id', item -> 'id', 'name', item -> 'name', 'url', ${url})`),
  'empty-object': items(`'{}'::jsonb`),
})
