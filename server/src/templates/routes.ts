import * as templates from '@passwordbroker/core/contract/groups/templates';
import { on, type Route } from '../http/route.ts';
import { removeTemplate, saveTemplate } from './change-templates.ts';
import { listTemplates } from './template-repository.ts';

export const routes: readonly Route[] = [
  on(templates.listAll, ({ deps, group }) => listTemplates(deps.db, group.materialized_path)),

  on(templates.save, (context) =>
    saveTemplate(context.deps, context, {
      groupId: context.group.entry_group_id,
      templateId: context.params.t,
      template: context.body,
    }),
  ),

  on(templates.remove, (context) =>
    removeTemplate(context.deps, context, {
      groupId: context.group.entry_group_id,
      templateId: context.params.t,
    }),
  ),
];
