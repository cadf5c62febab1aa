"""torch.fx.passes.split_module: the nodes of a graph in submodules, by a number that a function gives each node."""

import inspect

import torch
from _fusescope import partial_modules as _partial
from torch.fx.graph import Graph
from torch.fx.graph_module import GraphModule, _get_attr
from torch.fx.node import map_arg
from torch.fx.proxy import Proxy


class Partition:
    def __init__(self, name):
        self.name, self.submod_name = name, f"submod_{name}"
        self.node_names = []
        self.inputs, self.outputs, self.dependencies, self.dependents = {}, {}, {}, {}
        self.graph, self.environment, self.targets = Graph(), {}, {}

    def __repr__(self):
        return (
            f"name: {self.name},\n nodes: {self.node_names},\n inputs: {self.inputs},\n outputs: {self.outputs},\n"
            f" partitions depended on: {self.dependencies},\n partition dependents: {self.dependents}"
        )


def split_module(
    m,
    root_m,
    split_callback,
    qualname_map=None,
    keep_original_order=False,
    keep_original_node_name=False,
    keep_original_input_name=True,
    *,
    partition_affix=None,
    tuple_return=False,
):
    split = _Split(m, keep_original_node_name, tuple_return)
    split.assign(split_callback, partition_affix)
    order = split.ordered()
    split.begin(order, keep_original_input_name)
    split.copy(qualname_map)
    return split.assemble(list(split.parts) if keep_original_order else order, keep_original_order)


class _Split:
    def __init__(self, m, keep_names, tuple_return):
        self.m, self.keep_names, self.tuple_return = m, keep_names, tuple_return
        self.parts, self.owner, self.nodes = {}, {}, {node.name: node for node in m.graph.nodes}
        self.base, self.env, self.attributes = Graph(), {}, {}

    def assign(self, split_callback, affix):
        for node in self.m.graph.nodes:
            if node.op in ("placeholder", "get_attr", "output"):
                continue
            if node.op == "call_function" and node.target is torch._C._set_grad_enabled:
                raise NotImplementedError(
                    "Fusescope's split_module does not split regions of autocast or set_grad_enabled"
                )
            number = str(split_callback(node))
            name = number if affix is None else f"{affix}_{number}"
            self.parts.setdefault(name, Partition(name)).node_names.append(node.name)
            self.owner[node] = name
        for node in self.m.graph.nodes:
            if node.op not in ("placeholder", "get_attr"):
                user = None if node.op == "output" else node
                map_arg((node.args, dict(node.kwargs)), lambda used, user=user: self._uses(used, user))

    def _uses(self, node, user):
        defined, used = self.owner.get(node), self.owner.get(user)
        if defined == used:
            return node
        if defined is not None:
            self.parts[defined].outputs.setdefault(node.name)
            if used is not None:
                self.parts[defined].dependents.setdefault(used)
        if used is not None:
            self.parts[used].inputs.setdefault(node.name)
            if defined is not None:
                self.parts[used].dependencies.setdefault(defined)
        return node

    def ordered(self):
        """The partitions after those that they depend on."""
        ready, order = [name for name, part in self.parts.items() if not part.dependencies], []
        while ready:
            name = ready.pop()
            order.append(name)
            for user in self.parts[name].dependents:
                self.parts[user].dependencies.pop(name)
                if not self.parts[user].dependencies:
                    ready.append(user)
        if len(order) != len(self.parts):
            raise RuntimeError("cycle exists between partitions!")
        return order

    def _is_module(self, node):
        return node.op == "get_attr" and isinstance(_get_attr(self.m, node.target), torch.nn.Module)

    def begin(self, order, keep_input_names):
        """The inputs of each partition; a module that it names becomes its own."""
        for name in order:
            part, inputs = self.parts[name], {}
            nodes = [self.nodes[each] for each in part.inputs]
            for node in sorted(nodes, key=self._is_module):
                if self._is_module(node):
                    made = part.graph.get_attr(node.target)
                    part.targets[node.target] = _get_attr(self.m, node.target)
                else:
                    made = part.graph.placeholder(node.name if keep_input_names else f"arg_{len(inputs)}", node.type)
                    inputs[node.name] = None
                made.meta.update(node.meta)
                part.environment[node] = made
            part.inputs = inputs

    def copy(self, qualname_map):
        for node, name in self.owner.items():
            part = self.parts[name]
            target = node.target
            if node.op == "call_module":
                target = node.target.replace(".", "_")
                part.targets[target] = _get_attr(self.m, node.target)
                if qualname_map is not None:
                    qualname_map[f"{part.submod_name}.{target}"] = node.target
            args, kwargs = (
                map_arg(node.args, part.environment.__getitem__),
                map_arg(node.kwargs, part.environment.__getitem__),
            )
            kept = node.name if self.keep_names else None
            made = part.graph.create_node(node.op, target, args, dict(kwargs), kept, node.type)
            made.meta.update(node.meta)
            part.environment[node] = made

    def _input(self, node):
        """A placeholder or an attribute in the graph of the partitions."""
        if node.op == "placeholder":
            default = node.args[0] if node.args else inspect.Signature.empty
            made = self.base.placeholder(node.name if self.keep_names else node.target, node.type, default)
        elif node.op == "get_attr":
            made = self.base.get_attr(node.target)
            self.attributes[node.target] = _get_attr(self.m, node.target)
        else:
            return
        made.meta.update(node.meta)
        self.env[node.name] = made

    def assemble(self, order, original):
        if not original:
            for node in self.m.graph.nodes:
                self._input(node)
        done = set()
        for name in order:
            part = self.parts[name]
            outputs = tuple(part.environment[self.nodes[each]] for each in part.outputs)
            part.graph.output(outputs if len(outputs) != 1 or self.tuple_return else outputs[0])
            if original:
                self._begin_original(part, done)
            self.attributes[part.submod_name] = GraphModule(part.targets, part.graph)
            call = self.base.call_module(part.submod_name, tuple(self.env[each] for each in part.inputs))
            if len(outputs) > 1 or (outputs and self.tuple_return):
                self.env.update({each: Proxy(call)[i].node for i, each in enumerate(part.outputs)})
            elif outputs:
                self.env[next(iter(part.outputs))] = call
        if original and not self.env:
            for node in self.m.graph.nodes:
                self._input(node)
        self.base.output(map_arg(self.m.graph.output_node().args[0], lambda node: self.env[node.name]))
        made = GraphModule(self.attributes, self.base)
        made.meta["partition_names"] = {part.submod_name for part in self.parts.values()}
        return made

    def _begin_original(self, part, done):
        holes = [node for node in self.m.graph.nodes if node.op == "placeholder"]
        for node in (*holes, *(self.nodes[each] for each in part.inputs)):
            if node not in done:
                done.add(node)
                self._input(node)


__getattr__ = _partial.of_pytorch(__name__)
