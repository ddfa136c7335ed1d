; File types and links of the current user. An extension that another program owns keeps it: heaplens is then one of the
; choices under "Open with" and in the settings, "Default apps". Keys: "File Types", "Registering an application to a URI
; scheme" and "Default Programs" of the Windows Shell reference.
!define CLASSES Software\Classes
!define PROGRAM Software\heaplens

; A kind of dump, and one of its extensions, as in assets/desktop/heaplens-mime.xml.
!macro EachType action
    !insertmacro ${action}Kind heaplens.hprof "Java heap dump"
    !insertmacro ${action}Extension .hprof heaplens.hprof
    !insertmacro ${action}Kind heaplens.heapsnapshot "V8 heap snapshot"
    !insertmacro ${action}Extension .heapsnapshot heaplens.heapsnapshot
    !insertmacro ${action}Extension .heaptimeline heaplens.heapsnapshot
    !insertmacro ${action}Kind heaplens.perfetto "Perfetto trace"
    !insertmacro ${action}Extension .pftrace heaplens.perfetto
    !insertmacro ${action}Extension .perfetto-trace heaplens.perfetto
    !insertmacro ${action}Extension .perfetto-java-heap-dump heaplens.perfetto
    !insertmacro ${action}Kind heaplens.rawheap "ArkTS raw heap"
    !insertmacro ${action}Extension .rawheap heaplens.rawheap
    !insertmacro ${action}Kind heaplens.phd "IBM/OpenJ9 portable heap dump"
    !insertmacro ${action}Extension .phd heaplens.phd
    !insertmacro ${action}Kind heaplens.analysis "Stored analysis of a heap dump"
    !insertmacro ${action}Extension .heaplens heaplens.analysis
!macroend

; Behind "--" nothing is an option, whatever a link has in it.
!macro RegisterKind kind description
    WriteRegStr HKCU "${CLASSES}\${kind}" "" "${description}"
    WriteRegStr HKCU "${CLASSES}\${kind}\DefaultIcon" "" '"$INSTDIR\heaplens.exe",0'
    WriteRegStr HKCU "${CLASSES}\${kind}\shell\open\command" "" '"$INSTDIR\heaplens.exe" -- "%1"'
!macroend

!macro RegisterExtension extension kind
    WriteRegStr HKCU "${CLASSES}\${extension}\OpenWithProgids" "${kind}" ""
    WriteRegStr HKCU "${CLASSES}\Applications\heaplens.exe\SupportedTypes" "${extension}" ""
    WriteRegStr HKCU "${PROGRAM}\Capabilities\FileAssociations" "${extension}" "${kind}"
    ReadRegStr $0 HKCU "${CLASSES}\${extension}" ""
    ReadRegStr $1 HKLM "${CLASSES}\${extension}" ""
    ${If} "$0$1" == ""
        WriteRegStr HKCU "${CLASSES}\${extension}" "" "${kind}"
    ${EndIf}
!macroend

!macro RegisterTypes
    !insertmacro EachType Register
    WriteRegStr HKCU "${CLASSES}\Applications\heaplens.exe" FriendlyAppName heaplens
    WriteRegStr HKCU "${CLASSES}\Applications\heaplens.exe\shell\open\command" "" '"$INSTDIR\heaplens.exe" -- "%1"'
    ; Compressed dumps and text dumps, whose extensions belong to others.
    WriteRegStr HKCU "${CLASSES}\Applications\heaplens.exe\SupportedTypes" .gz ""
    WriteRegStr HKCU "${CLASSES}\Applications\heaplens.exe\SupportedTypes" .txt ""
    !insertmacro RegisterKind heaplens "URL:heaplens link"
    WriteRegStr HKCU "${CLASSES}\heaplens" "URL Protocol" ""
    WriteRegStr HKCU "${PROGRAM}\Capabilities" ApplicationName heaplens
    WriteRegStr HKCU "${PROGRAM}\Capabilities" ApplicationDescription "Analyze heap dumps and find memory leaks"
    WriteRegStr HKCU "${PROGRAM}\Capabilities\UrlAssociations" heaplens heaplens
    WriteRegStr HKCU Software\RegisteredApplications heaplens "${PROGRAM}\Capabilities"
    !insertmacro NotifyShell
!macroend

!macro UnregisterKind kind description
    DeleteRegKey HKCU "${CLASSES}\${kind}"
!macroend

!macro UnregisterExtension extension kind
    DeleteRegValue HKCU "${CLASSES}\${extension}\OpenWithProgids" "${kind}"
    ReadRegStr $0 HKCU "${CLASSES}\${extension}" ""
    ${If} $0 == "${kind}"
        DeleteRegValue HKCU "${CLASSES}\${extension}" ""
    ${EndIf}
    DeleteRegKey /ifnosubkeys /ifnovalues HKCU "${CLASSES}\${extension}\OpenWithProgids"
    DeleteRegKey /ifnosubkeys /ifnovalues HKCU "${CLASSES}\${extension}"
!macroend

!macro UnregisterTypes
    !insertmacro EachType Unregister
    !insertmacro UnregisterKind heaplens "links"
    DeleteRegKey HKCU "${CLASSES}\Applications\heaplens.exe"
    DeleteRegKey /ifnosubkeys /ifnovalues HKCU "${CLASSES}\Applications"
    DeleteRegKey HKCU "${PROGRAM}"
    DeleteRegValue HKCU Software\RegisteredApplications heaplens
    DeleteRegKey /ifnosubkeys /ifnovalues HKCU Software\RegisteredApplications
    !insertmacro NotifyShell
!macroend

; SHCNE_ASSOCCHANGED: the Explorer reads file types and icons again.
!macro NotifyShell
    System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
!macroend
