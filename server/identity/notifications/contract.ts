import { Type } from 'typebox';
import { exampleOf } from '../../kernel/field-types.ts';
import { inputFields, outputFields } from '../../kernel/http/field-schemas.ts';
import { schemaRef } from '../../kernel/http/shapes.ts';
import { developerRoutes } from '../contract.ts';
import { notificationFields } from './fields.ts';

/** Schemas of a user's notification settings. */

const NotificationSettings = Type.Object(outputFields(notificationFields), {
  $id: 'NotificationSettings',
  examples: [exampleOf(notificationFields)],
});

export const sharedSchemas = [NotificationSettings];

const tags = ['users'];

export const readNotificationsSchema = developerRoutes.get({
  tags,
  operationId: 'readNotificationSettings',
  summary: 'Read which mails about your sites you get',
  response: { 200: schemaRef(NotificationSettings, 'The settings.') },
});

export const updateNotificationsSchema = developerRoutes.patch({
  tags,
  operationId: 'updateNotificationSettings',
  summary: 'Change which mails about your sites you get',
  body: Type.Object(inputFields(notificationFields), {
    title: 'NotificationSettingsChanges',
    additionalProperties: false,
    examples: [{ site_up: false }],
  }),
  response: { 200: schemaRef(NotificationSettings, 'The settings after the change.') },
});
