//! The chapter of the book about the command: what it shows is what the command prints.

use super::support::{checkout, costate};

#[test]
fn the_chapter_shows_what_is_printed() {
    let chapter = std::fs::read_to_string(checkout().join("book/src/command.md")).unwrap();
    let blocks: Vec<&str> = chapter.split("```text\n").skip(1).map(|rest| rest.split_once("```").unwrap().0).collect();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mass.model"), blocks[0]).unwrap();
    let calls: Vec<&&str> = blocks.iter().filter(|block| block.starts_with("$ costate ")).collect();
    assert_eq!(calls.len(), 3);
    for call in calls {
        let (line, shown) = call.strip_prefix("$ costate ").unwrap().split_once('\n').unwrap();
        // arguments in quotes have no blanks
        let arguments: Vec<String> = line.split(' ').map(|argument| argument.replace('\'', "")).collect();
        let said = costate(folder.path(), &arguments.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!((said.code, &*said.stderr), (Some(0), ""), "{line}");
        assert_eq!(said.stdout, shown, "{line}");
    }
}
