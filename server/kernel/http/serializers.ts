import SerializerSelector from '@fastify/fast-json-stringify-compiler';

/**
 * fastify's own serializers, each compiled when an answer first needs it: compiling those of all routes takes most of
 * the start.
 */
export function buildSerializersWhenNeeded(): SerializerSelector.SerializerFactory {
  const build = SerializerSelector();
  return (schemas, options) => {
    const compile = build(schemas, options);
    return (route) => {
      let serialize: SerializerSelector.Serializer | undefined;
      return (answer) => {
        serialize ??= compile(route);
        return serialize(answer);
      };
    };
  };
}
