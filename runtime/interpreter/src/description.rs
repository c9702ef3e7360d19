//! The description of a model, as `model!` writes it when a crate is built, and the data of the model's own tables.

use costate_compiler::mechanics::{
    Block as BlockOfExpressions, Elimination as Pivots, Group, determined, has_timed_forces, jumps, positive,
};
use costate_compiler::{Compiled, Quantity as Named, TableValues};
use costate_contract::{
    BackEnd, Block, Description, Elimination, Factor, Groups, LookupDescription, Quantity, TableDescription, VERSION,
};
use costate_system::table::{AnyTable, Curve, Surface, Tables};

use crate::kept::kept;

/// Makes the description of a model. Descriptions of compiled models are constants, so this one is never freed: a
/// program makes one for every model that it loads, of parts that models share.
pub fn description(compiled: &Compiled, (digest, back_end): (&'static str, BackEnd)) -> &'static Description {
    let Compiled { model, graph, groups, elimination, .. } = compiled;
    let tables = model
        .tables
        .iter()
        .map(|table| TableDescription { quantity: quantity(&table.quantity), arguments: quantities(&table.arguments) });
    let lookups = groups.lookups.all.iter().filter_map(|&id| graph.node(id).lookup());
    let lookups =
        lookups.map(|(lookup, _)| LookupDescription::new(lookup.table as usize, lookup.orders.map(usize::from)));
    let is_positive = positive(model, graph);
    let positive_parameters = (0..is_positive.len()).filter(|&parameter| is_positive[parameter]);
    let mut of_groups = Groups::EMPTY;
    for group in &groups.all {
        *of_groups.of_mut(group.kind) = blocks(group);
    }
    let description = Description {
        version: VERSION,
        back_end,
        digest: Some(digest),
        parameters: quantities(&model.parameters),
        inputs: quantities(&model.inputs),
        coordinates: quantities(&model.coordinates),
        constraints: quantities(&model.constraints),
        outputs: quantities(&model.outputs),
        tables: leak(tables),
        lookups: leak(lookups),
        specified_coordinates: leak(model.initial_coordinates.iter().map(Option::is_some)),
        specified_velocities: leak(model.initial_velocities.iter().map(Option::is_some)),
        equilibrium: model.equilibrium,
        positive_parameters: leak(positive_parameters),
        jumps: leak(jumps(model, graph)),
        timed_forces: has_timed_forces(model, graph),
        determined: determined(model, graph),
        groups: of_groups,
        elimination: elimination.as_ref().map(|elimination| pivots(compiled, elimination)),
        order: leak(compiled.order.iter().map(|&(row, column)| (row as u32, column as u32))),
        ..Description::new(text(&model.name.to_string()))
    };
    let description = match model.scene.bodies.is_empty() {
        true => description,
        false => Description { scene: kept(Box::new(model.scene.clone())), ..description },
    };
    Box::leak(Box::new(description))
}

/// Returns the data of the tables that are part of the model, with its description.
pub fn tables(compiled: &Compiled, description: &'static Description) -> Tables {
    let mut tables = Tables::of(description);
    for (index, table) in compiled.model.tables.iter().enumerate() {
        let columns = || leak(table.without_units.iter().map(|column| column.each_ref().map(|part| text(part))));
        let data = match &table.values {
            None => continue,
            Some(TableValues::Curve(grid)) => {
                let curve = Curve::compiled(&grid.x, &grid.values, grid.extension);
                let curve = curve.interpolated(grid.interpolation);
                AnyTable::Curve(curve.without_units(columns()).into())
            }
            Some(TableValues::Surface(grid)) => {
                let surface = Surface::compiled(&grid.x, &grid.y, &grid.values, grid.extensions);
                let surface = surface.interpolated(grid.interpolations);
                AnyTable::Surface(surface.without_units(columns()).into())
            }
        };
        tables = tables.replaced(index, shared(data, table.values.as_ref()));
    }
    tables
}

/// Returns the table that is kept for these numbers, every bit of which counts.
fn shared(table: AnyTable, values: Option<&TableValues>) -> AnyTable {
    let numbers = match values {
        None => [&[][..]; 3],
        Some(TableValues::Curve(grid)) => [&grid.x[..], &grid.values, &[]],
        Some(TableValues::Surface(grid)) => [&grid.x[..], &grid.y, &grid.values],
    };
    let bits: Vec<u64> = numbers.into_iter().flatten().map(|number| number.to_bits()).collect();
    kept(Box::new((bits, table))).1.clone()
}

fn leak<T: PartialEq + Send + Sync + 'static>(values: impl IntoIterator<Item = T>) -> &'static [T] {
    kept(values.into_iter().collect())
}

fn text(text: &str) -> &'static str {
    kept(text.into())
}

fn quantity(named: &Named) -> Quantity {
    Quantity::new(text(&named.name), text(&named.unit), text(&named.documentation))
}

fn quantities(named: &[Named]) -> &'static [Quantity] {
    leak(named.iter().map(quantity))
}

/// Returns the blocks of a group that have entries.
fn blocks(group: &Group) -> &'static [Block] {
    let mut offset = 0;
    let described = group.blocks.iter().filter(|block| !block.entries.is_empty()).map(|block| {
        let own = Block { offset, ..layout(block) };
        offset += block.entries.len();
        own
    });
    leak(described)
}

fn layout(block: &BlockOfExpressions) -> Block {
    let entries = block.entries.iter().map(|&(row, column)| (row as u32, column as u32));
    Block { function: block.function, argument: block.argument, offset: 0, entries: leak(entries) }
}

fn pivots(compiled: &Compiled, elimination: &Pivots) -> Elimination {
    let [reciprocals, lower] = elimination.watched(&compiled.graph).map(|factors| {
        leak(factors.into_iter().map(|[row, column, index]| Factor {
            row: row as u32,
            column: column as u32,
            index: index as u32,
        }))
    });
    Elimination {
        sums: leak(elimination.sums.iter().map(|sum| sum.row as u32)),
        pivots: leak(elimination.steps.iter().map(|step| (step.row as u32, step.column as u32))),
        reciprocals,
        lower,
    }
}
